/**
 * Sync follows another node block by block, through a feeder gateway or the bundles of an object store.
 * Neither is trusted (`BlockSource`), and everything said about gateways here applies to the store, too.
 * There are two threads: `sync` fetches and applies, and is the only writer of the chain; `verifier` decodes
 * and hashes.
 *
 * States of a block, in this order, and what moves it to the next:
 *
 * - *wanted*: `HeadWatch` has seen a higher newest block. It polls once a second, in parallel with all other
 *   work.
 * - *fetched*, then *checked*: `BlockPipeline` holds up to 32 blocks ahead, concurrently and in any order.
 *   The verifier performs every check that needs no state, including the signature.
 * - *prepared*: `PreparedClasses` fetches declared classes unless a bundle carries them, hashes them, and has
 *   the main thread compile them; their code has the declared hash. Classes deployed without a declaration
 *   are resolved when the block is applied, because an earlier block may declare them.
 * - *applied*: `BlockApplier` verifies parent, number, timestamp, migrated classes, state root, and the
 *   result of `ExecutionVerifier`; one database transaction holds all of it.
 * - *accepted*: query threads are notified first, and last the main thread, from which clients learn of it.
 *
 * Once all accepted blocks are stored, `FollowedPending` polls for the content of the pre-confirmed block and
 * publishes it as deltas with verified hashes. A block is completed before the next one starts. Published
 * content is withdrawn only if the sequencer lost it: `pendingDropped` is sent, and publishing restarts. Classes
 * that such blocks declare are prepared like others; if that fails, they arrive with the accepted block.
 *
 * Faults and reorgs:
 *
 * - A refused block, class or gateway (`Refusals`) is reported once per change. Nothing of it is stored, the
 *   chain stays at its newest block, the gateway is tried after the others, and everything is retried after 1
 *   to 10 s.
 * - The gateway's newest block differs from ours at its height, or a block has another parent: `commonBlock`
 *   verifies the other branch down to the common ancestor, one block at a time and keeping none. The main
 *   thread is then asked once to revert (`SyncRevert`), which restarts the threads. A revert never goes below
 *   an ACCEPTED_ON_L1 block. A replica that lags has the same hashes, so nothing happens.
 * - An epoch below the newest block's: stored blocks whose epoch the source now reports differently are
 *   fetched again (`commonEpoch`), after such a revert; if it reports the same epochs, the block is refused.
 * - Another block 0 at the start, or a store of another chain: the main thread stops the node (`OtherChain`).
 * - A full disk, or any failed commit: the block is rolled back, nothing is stored after it, the node exits.
 *
 * Crash safety: after a kill at any moment, a stop or a revert, the stored blocks, each complete, and the
 * pinned key remain. Everything else is fetched again.
 *
 * Limits: 32 blocks ahead and the bytes of `PipelineLimits`, twice that while abandoned requests are still
 * open; 4 classes concurrently, 64 cached; 8 blocks of another branch; 16 blocks above the accepted ones; one
 * request in flight for the newest block and one for the pre-confirmed blocks.
 */
export {
  type ForwardedTransaction,
  Forwarding,
  FORWARDING_LIMITS,
  type ForwardingDeps,
  type ForwardingLimits,
  gatewayRefusal,
  type GatewayRefusal,
  type ForwardedSubmission,
  type HandOverCounts,
  handOver,
  type HandOverDeps,
  type HoldableSubmission,
  type Inclusion,
  type SubmitAnswer,
  type SubmitErrorName,
  type SubmitRefusal,
  submitRefusal,
  TAKEOVER_HOLD_LIMITS,
  TakeoverHold,
  type TakeoverHoldDeps,
  type TakeoverHoldLimits,
} from "./forwarding/index.ts";
export {
  executeBlockAgain,
  type ExecutionDeps,
  OLDEST_EXECUTED_VERSION,
} from "./execution/execute-block-again.ts";
export type {
  FromSync,
  FromVerifier,
  GatewayRequestEnded,
  KeyPinned,
  OtherChain,
  PendingDropped,
  SyncCompile,
  SyncCompiled,
  SyncProgress,
  SyncRefused,
  SyncRevert,
  SyncStage,
  SyncToQuery,
  ToSync,
  ToVerifier,
} from "./messages.ts";
export type {
  BlockCheckOutcome,
  BlockCheckRequest,
  BlockReference,
  BlockSource,
  BlockVerifier,
  CheckedBlock,
  ClassCheckOutcome,
  ClassCheckRequest,
  ClassVerifier,
  CodeCompiler,
  CompiledCode,
  ExecutionRequest,
  ExecutionVerifier,
  DeclaredClassHash,
  KnownPreConfirmed,
  SyncCheck,
  SyncRefusal,
} from "./ports.ts";
export {
  type BlockVerifierOptions,
  type BundleCheckRequest,
  checkBundle,
  checkClassText,
  checkCompiledText,
  type CodeCheckOutcome,
  createBlockVerifier,
  createBundleVerifier,
} from "./verify/index.ts";
export { keepPublicKey, keptPublicKey } from "./identity.ts";
export { BlockApplier, type BlockApplierDeps } from "./apply-block.ts";
export { BlockRefused } from "./refusal.ts";
export type { PipelineLimits, SyncSettings } from "./settings.ts";
export { SyncService, type SyncServiceDeps, type SyncPorts } from "./sync-service.ts";
export type { ExpectedChain } from "./store/store-identity.ts";
export { StoreSource, type StoreSourceDeps } from "./store/store-source.ts";
export { VerifierClient } from "./verifier-client.ts";
export { VerifierService, type VerifierServiceDeps } from "./verifier-service.ts";
