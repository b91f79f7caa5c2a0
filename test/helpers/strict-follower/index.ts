export { FOLLOWED_VERSIONS, type LivedChain, startLived } from "./chain.ts";
export { ofGateway, ofGatewayReceipt, ofRpc, ofRpcReceipt, rpcBlock } from "./compare.ts";
export { StrictFollower } from "./follower.ts";
export { KnownPreConfirmed, wholePreConfirmed } from "./pre-confirmed.ts";
