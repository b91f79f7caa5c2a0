export { type BlockId, type ResolvedBlock, resolveBlock } from "./block-id.ts";
export type {
  BlockReference,
  EstimatedTransaction,
  ExecutionAccess,
  MempoolLookup,
  PendingView,
  QueryPool,
  RpcContext,
  RpcObserver,
  SyncStatus,
  TransactionSubmitter,
} from "./context.ts";
export { RPC_ERRORS, type RpcErrorName, RpcFault } from "./errors.ts";
export { type CorsPolicy, type HostPolicy, LOCAL_ORIGINS, parseCorsPolicy } from "./cors.ts";
export { executeQuery } from "./dispatch.ts";
export {
  createRpcServer,
  type HttpLimits,
  openRpcListener,
  type RpcServer,
  type RpcServerOptions,
} from "./http.ts";
export { type Listener, type ListenOptions, openListener } from "./listener.ts";
export type { Method } from "./method.ts";
export { createMethodTables, METHODS } from "./methods.ts";
export { METHOD_PREFIXES, type MethodTable } from "./table.ts";
export type { Readiness } from "./readiness.ts";
