export {
  ADMIN_METHODS,
  type AdminAccess,
  type AdminContext,
  createAdminTable,
  encodeWeights,
  type MadeMessage,
  type NodeStatus,
  openAdminListener,
  readAdminToken,
  serveAdmin,
} from "./admin/index.ts";
export { resolveBlock } from "./block-id.ts";
export { calledOrFail } from "./called.ts";
export type {
  AdmissionContext,
  ChainContext,
  ChainContracts,
  NodeIdentity,
  ClassRequest,
  DeclareAccess,
  ExecutionAccess,
  FetchedOrigin,
  ForkOrigin,
  KnownOutcome,
  MainContext,
  L1Message,
  L1MessageLookup,
  MempoolLookup,
  RemoteTransaction,
  QueryContext,
  QueryPool,
  RpcObserver,
  ServerContext,
  SyncStatus,
  TakeRest,
  WaitingTransaction,
  WsRpcObserver,
} from "./context.ts";
export { NO_L1_MESSAGES } from "./context.ts";
export {
  type BalanceUnit,
  type BlockTime,
  composeDump,
  decodeDump,
  DEFAULT_RESTRICTED_METHODS,
  DEVNET_CODES,
  DEVNET_METHODS,
  type DevnetAccess,
  type DevnetContext,
  DevnetFault,
  type DevnetFork,
  type ForkTarget,
  type DumpAccess,
  dumpedMethods,
  type DumpOn,
  type FlushedMessages,
  genesisNumber,
  loadDump,
  type MadeBlock,
  type MessagingOrder,
  type MintOutcome,
  type MockMessageToL2,
  type PredeployedAccount,
  RECORDER_LIMITS,
  RequestRecorder,
  type StateDiffOutcome,
  type StateDiffRequest,
  type SuppliedClass,
  withDevnet,
  withRestricted,
} from "./devnet/index.ts";
export { type FetchingOrigin, repeatBeforeEffects, repeatWhileMissing } from "./fork/repeat.ts";
export { withDiscovery } from "./discovery.ts";
export { JSON_LIMITS, LONG_BODY } from "./dispatch.ts";
export { type AnswerStream, streamOf } from "./answer-stream.ts";
export { type QueryObserver, runQuery } from "./run-query.ts";
export type { QueryResult } from "./bound-method.ts";
export { LongResult, tooLongToBuffer } from "./long-result.ts";
export { WHOLE_TRACE_ENCODERS } from "./spec/v0_10/trace.ts";
export { hexes, type TraceLists, writeTraces } from "./spec/trace-lists.ts";
export { finalityOf } from "./methods/shared.ts";
export { locateFirst } from "./fork/locate.ts";
export { fail, NotServedError, RPC_ERRORS, type RpcErrorName } from "./errors.ts";
export {
  type BodyRefusal,
  carry,
  createHostCheck,
  createRpcServer,
  emptyReply,
  type HostPolicy,
  hostPolicyOf,
  HTTP_TIMEOUTS,
  type HttpEnv,
  type HttpHandler,
  type HttpListener,
  type HttpReply,
  type HttpRequest,
  jsonReply,
  type Listener,
  type ListenOptions,
  openHttpListener,
  openListener,
  openRpcListener,
  type Passage,
  pathOf,
  type Following,
  readBodyText,
  type Readiness,
  readinessOf,
  readyReply,
  ReplyCompressor,
  replyFrom,
  requestForHono,
  route,
  type RpcServer,
  type RpcServerOptions,
  type PostRoute,
  type SideRoute,
  textReply,
  Unpacker,
} from "./http/index.ts";
export { Caller } from "./limits/caller.ts";
export type { ConnectionLimits } from "./limits/connection-limit.ts";
export { limitExceeded } from "./json-rpc.ts";
export { type Client, FairQueue, NOBODY, type Waiting } from "./limits/fair-queue.ts";
export { HELD_CHECK_MS, HeldBytes } from "./limits/held-bytes.ts";
export { MAX_METHOD_LIMITS, type MethodLimits } from "./limits/method-limits.ts";
export { type RateLimit, RateLimiter, systemRateLimiter } from "./limits/rate-limiter.ts";
export { checkStopped } from "./stopped.ts";
export { JsonText } from "./json-text.ts";
export { isResult } from "./outcome.ts";
export { createQueryTable, type QueryWorks } from "./query-table.ts";
export type {
  LongTracedTransactions,
  TraceAccess,
  TracedBlock,
  TracedTransactions,
  TraceFailure,
} from "./traces/access.ts";
export { originTrace } from "./traces/origin-traces.ts";
export { simulateOverridden } from "./traces/simulate-overridden.ts";
export { findTraced, tracedBlock } from "./traces/traced-block.ts";
export { failTraces, tracesOf } from "./traces/tracing.ts";
export { createMethodTables, EXTENSION_METHODS, METHODS } from "./methods.ts";
export { RESPONSE_CACHE_BYTES, ResponseCache } from "./response-cache.ts";
export type { MethodTable } from "./table.ts";
export {
  type SubmitClient,
  THIS_NODE,
  type TransactionSubmitter,
} from "./transaction-submitter.ts";
export { type Candidate, LiveFeed } from "./ws/feed.ts";
export type { Reorg } from "./spec/subscriptions.ts";
export { WS_LIMITS, WS_TIMES } from "./ws/limits.ts";
export type { SubscriptionCounts, WsObserver } from "./ws/observer.ts";
export { Turns } from "./turns.ts";
export { SUBSCRIPTION_METHODS, SUBSCRIPTION_METHODS_0_8 } from "./ws/methods.ts";
