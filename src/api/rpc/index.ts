export {
  ADMIN_METHODS,
  type AdminAccess,
  createAdminTable,
  type MadeMessage,
  type NodeStatus,
  openAdminListener,
  readAdminToken,
  serveAdmin,
} from "./admin/index.ts";
export { resolveBlock } from "./block-id.ts";
export type {
  ClassRequest,
  DeclareAccess,
  ExecutionAccess,
  KnownOutcome,
  MempoolLookup,
  QueryPool,
  RpcContext,
  RpcObserver,
  SyncStatus,
  TraceAccess,
  TracedBlock,
  TraceFailure,
  TransactionSubmitter,
  WaitingTransaction,
} from "./context.ts";
export {
  type BalanceUnit,
  type BlockTime,
  composeDump,
  decodeDump,
  DEFAULT_RESTRICTED_METHODS,
  DEVNET_CODES,
  DEVNET_METHODS,
  type DevnetAccess,
  DevnetFault,
  type DumpAccess,
  dumpedMethods,
  type DumpOn,
  loadDump,
  type MadeBlock,
  type MintOutcome,
  type MockMessageToL2,
  type PredeployedAccount,
  RequestRecorder,
  withDevnet,
  withRestricted,
} from "./devnet/index.ts";
export { withDiscovery } from "./discovery.ts";
export { executeQuery } from "./dispatch.ts";
export { NotServedError, RPC_ERRORS, type RpcErrorName } from "./errors.ts";
export {
  createRpcServer,
  type Listener,
  type ListenOptions,
  openListener,
  openRpcListener,
  type RpcServer,
  type RpcServerOptions,
} from "./http/index.ts";
export { Caller } from "./limits/caller.ts";
export { type ConnectionLimits, DEFAULT_CONNECTION_LIMITS } from "./limits/connection-limit.ts";
export { limitExceeded } from "./json-rpc.ts";
export { type Client, FairQueue, NOBODY, type Waiting } from "./limits/fair-queue.ts";
export {
  DEFAULT_METHOD_LIMITS,
  GREATEST_METHOD_LIMITS,
  type MethodLimits,
} from "./limits/method-limits.ts";
export type { RateLimit } from "./limits/rate-limiter.ts";
export { createMethodTables, EXTENSION_METHODS, METHODS } from "./methods.ts";
export { ResponseCache } from "./response-cache.ts";
export type { MethodTable } from "./table.ts";
export { type Candidate, LiveFeed } from "./ws/feed.ts";
export type { Reorg } from "./spec/subscriptions.ts";
export type { SubscriptionCounts, WsObserver } from "./ws/observer.ts";
export { SUBSCRIPTION_METHODS, SUBSCRIPTION_METHODS_0_8 } from "./ws/methods.ts";
