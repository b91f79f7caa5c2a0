export {
  BundleStore,
  MAX_BUNDLE_BYTES,
  type Publication,
  type PublicationWaiter,
} from "./bundle-store.ts";
export { type ChainRecord, decodeChain, encodeChain, MAX_CHAIN_BYTES } from "./chain-record.ts";
export { SLOW_MS, storeGate } from "./gate.ts";
export { blockKey, BLOCKS, blockOfKey, CHAIN, LEADER } from "./keys.ts";
export {
  decodeLeader,
  encodeLeader,
  type LeaderRecord,
  MAX_LEADER_BYTES,
} from "./leader-record.ts";
