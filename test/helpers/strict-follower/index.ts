export { FOLLOWED_VERSIONS, type LivedChain, startLived } from "./chain.ts";
export { besideRpc, ofGatewayReceipt, ofRpcReceipt } from "./compare.ts";
export { StrictFollower } from "./follower.ts";
export { KnownPreConfirmed, wholePreConfirmed } from "./pre-confirmed.ts";
