/**
 * Runs several sequencers of one chain over an object store; one of them makes the blocks. The store holds
 * `chain` (which chain it belongs to), `blocks/<number>` (one bundle each, never replaced) and `leader` (the
 * heartbeat).
 *
 * A block passes these states, in this order:
 *
 * - *committed*: it is on the sequencer's own disk and not visible to any client.
 * - *offered*: `storeGate` puts its bundle, only if the store has no bundle of that number. An unknown
 *   outcome is resolved by repeating the same put, without a time limit.
 * - *published*: the object is ours. Subscribers are notified, and the next block is committed: at most one
 *   block is ever committed and unpublished.
 * - *refused*: the object is another sequencer's. The block is reverted, and its maker no longer leads.
 *
 * Only the object of a block decides who leads. The `leader` record, silence and clocks merely show when a
 * takeover is worth trying (`Leadership`). A new leader starts with a block of the next epoch, which ends
 * every earlier epoch.
 *
 * Crash safety: a kill at any moment leaves a committed block that may be published. The next start queries
 * the store (`reconcile`) before it serves or builds on anything. Nothing here deletes or replaces a bundle.
 */
export {
  BundleStore,
  MAX_BUNDLE_BYTES,
  type Publication,
  type PublicationWaiter,
} from "./bundle-store.ts";
export { type ChainRecord, decodeChain, encodeChain, MAX_CHAIN_BYTES } from "./chain-record.ts";
export { claimChain, readChain, requireSameChain } from "./claim-chain.ts";
export { SLOW_MS, storeGate } from "./gate.ts";
export { blockKey, BLOCKS, blockOfKey, CHAIN, LEADER } from "./keys.ts";
export {
  decodeLeader,
  encodeLeader,
  type LeaderRecord,
  MAX_LEADER_BYTES,
} from "./leader-record.ts";
export type { CandidacyObstacle } from "./candidacy.ts";
export { findLeader, type FoundLeader, START_SILENCE_MS } from "./find-leader.ts";
export { epochToLead, type LeadEpoch } from "./lead-epoch.ts";
export { Leadership, type LeadershipState } from "./leadership.ts";
export type { LeadershipEvent, LeadershipPorts } from "./leadership-ports.ts";
export { type Patience, persistently } from "./persistently.ts";
export {
  reconcile,
  type ReconcileDeps,
  type ReconcileEvent,
  type ReconcileOrder,
  type ChainPosition,
} from "./reconcile.ts";
