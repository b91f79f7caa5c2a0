export { CachedState, type Checkpoint } from "./cached-state.ts";
export type {
  BlockPortion,
  ChainReader,
  ConsumedL1Message,
  DeclaredClass,
  EventQuery,
  TransactionLocation,
} from "./chain-reader.ts";
export { type Changes, modifiedContracts, storageUpdateCount } from "./changes.ts";
export { mergeStateDiffs } from "./diff.ts";
export { ForkedChain, type LocalChain } from "./forked-chain.ts";
export { joinDeltas } from "./join-deltas.ts";
export type { OriginBlock, OriginReader } from "./origin-reader.ts";
export { OverlayState } from "./overlay-state.ts";
export {
  decodeDeltaContents,
  decodePendingDelta,
  type DeltaContents,
  encodePendingDelta,
  decodeLazyDelta,
} from "./pending-codec.ts";
export type { LazyDelta, PendingBlock, PendingChanges, PendingDelta } from "./pending-block.ts";
export { PendingOverlay } from "./pending-overlay.ts";
export { hasReached, positionAt, type ReadPosition } from "./read-position.ts";
export type { EnteredCall, StateReader } from "./reader.ts";
export { RecentState } from "./recent-state.ts";
export { type ReadSet, readSetMatches, RecordingReader } from "./recording-reader.ts";
export type { WrittenState } from "./written-state.ts";
