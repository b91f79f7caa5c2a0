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
