export { resolveBlock } from "./block-id.ts";
export type {
  ClassRequest,
  ExecutionAccess,
  KnownOutcome,
  MempoolLookup,
  QueryPool,
  RpcContext,
  RpcObserver,
  TransactionSubmitter,
} from "./context.ts";
export { executeQuery } from "./dispatch.ts";
export { RPC_ERRORS, type RpcErrorName } from "./errors.ts";
export {
  createRpcServer,
  type Listener,
  type ListenOptions,
  openListener,
  openRpcListener,
  type RpcServer,
  type RpcServerOptions,
} from "./http/index.ts";
export { createMethodTables, METHODS } from "./methods.ts";
export type { MethodTable } from "./table.ts";
