export { resolveBlock } from "./block-id.ts";
export type {
  ExecutionAccess,
  MempoolLookup,
  QueryPool,
  RpcContext,
  RpcObserver,
  TransactionSubmitter,
} from "./context.ts";
export { executeQuery } from "./dispatch.ts";
export { RPC_ERRORS, type RpcErrorName } from "./errors.ts";
export { createRpcServer, openRpcListener, type RpcServer, type RpcServerOptions } from "./http.ts";
export { type Listener, type ListenOptions, openListener } from "./listener.ts";
export { createMethodTables, METHODS } from "./methods.ts";
export type { MethodTable } from "./table.ts";
