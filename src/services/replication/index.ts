/**
 * Several sequencers of one chain over an object store, of which one makes the blocks. The store has `chain`
 * (of which chain it is), `blocks/<number>` (a bundle each, never replaced) and `leader` (a sign of life).
 *
 * What a block goes through on its way out, in this order:
 *
 * - *committed*: it is on the sequencer's own disk; nobody is shown it.
 * - *offered*: `storeGate` puts its bundle, only if there is none of its number. An outcome that is not known
 *   is found out by the same put again, for as long as it takes.
 * - *published*: the object is ours. Everybody is told, and the next block is committed: at most one block is
 *   ever committed and not published.
 * - *refused*: the object is another one's. The block is unwound, and whoever made it leads no more.
 *
 * What decides who leads is the object of a block and nothing else: `leader`, silence and clocks only tell
 * when it is worth to try (`Leadership`). Whoever takes over begins with a block of the next epoch, and with
 * that every earlier epoch has ended.
 *
 * What survives: a kill at any moment leaves a committed block that may be published; the next start asks the
 * store (`reconcile`) before anything is served or built on. Nothing here deletes or replaces a bundle.
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
export { Leadership, type LeadershipStanding } from "./leadership.ts";
export type { LeadershipEvent, LeadershipPorts } from "./leadership-ports.ts";
export { type Patience, persistently } from "./persistently.ts";
export {
  reconcile,
  type ReconcileDeps,
  type ReconcileEvent,
  type ReconcileOrder,
  type Standing,
} from "./reconcile.ts";
