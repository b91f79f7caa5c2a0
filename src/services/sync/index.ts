/**
 * Sync: follows another node block by block, through a feeder gateway or by the bundles of an object store;
 * nothing is believed of either (`BlockSource`), and what is said of gateways here holds of the store. Two
 * threads: `sync` asks, applies and is the only writer of the chain; `verifier` reads and hashes.
 *
 * What a block is, in this order, and who moves it on:
 *
 * - *wanted*: `HeadWatch` was told a newest block that is higher, once a second, also in the middle of
 *   everything else.
 * - *fetched*, then *checked*: `BlockPipeline` holds up to 32 blocks ahead, side by side and in any order.
 *   The verifier does every check that needs no state, the signature among them.
 * - *prepared*: classes that it declares are fetched unless a bundle carries them, hashed, and compiled through the main thread
 *   (`PreparedClasses`); their code has the declared hash. What a block deploys without a declaration is
 *   settled when its turn comes, for a block before may declare it.
 * - *applied*: `BlockApplier` verifies parent, number, timestamp, migrated classes, state root, and what
 *   `ExecutionVerifier` says; one transaction of the database holds all of it.
 * - *accepted*: query threads hear of it, and the main thread, where clients learn it, last.
 *
 * Above the accepted blocks, once all of them are here, `FollowedPending` asks for what is new of the
 * block that grows and tells it as deltas, hashes verified. A block is completed before the next one
 * begins. Nothing told is taken back, but when the sequencer lost it: then `pendingGone`, and anew. Classes
 * that such blocks declare are prepared like others; where that fails they come with the accepted block.
 *
 * What is not as it should be:
 *
 * - A block, class or gateway that is refused (`Refusals`): told once per change. Nothing of it is stored,
 *   the chain stays at its newest block, the gateway is asked after others, and all is tried again after
 *   1 to 10 s.
 * - A newest block that is not ours at its height, or a block on another parent: `commonBlock` checks the
 *   other branch down to the block that both have, one by one and keeping none; then the main thread is
 *   asked once to revert (`SyncRevert`), for which the threads stop and start. Never below what is
 *   ACCEPTED_ON_L1. A replica that is behind has the same hashes: nothing happens.
 * - A lower epoch than the newest block's: stored blocks of which the source tells another one than before are
 *   taken anew (`commonEpoch`), by such a revert; where it tells the same the block is refused.
 * - Another block 0 at the start, a store of another chain: the main thread ends the node (`OtherChain`).
 * - A full disk, or any failed commit: the block is rolled back, nothing is stored after it, the node ends.
 *
 * What survives a kill at any moment, a stop and a revert: blocks that are stored, each whole, and the key
 * that was told first. Everything else is asked for again.
 *
 * Bounds: 32 blocks ahead and the bytes of `PipelineLimits`, twice that while questions hang that nobody
 * waits for any more; 4 classes at a time, 64 kept; 8 blocks of another branch; 16 blocks above the
 * accepted ones; one question for the newest block and one for what is above at a time.
 */
export {
  type ForwardedTransaction,
  Forwarding,
  FORWARDING_LIMITS,
  type ForwardingDeps,
  type ForwardingLimits,
  gatewayRefusal,
  type GatewayRefusal,
  type HandedOn,
  type HandedOver,
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
  GatewayAsked,
  KeyPinned,
  OtherChain,
  PendingGone,
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
