export type { ToldBlock, ToldHashes } from "./answers/block.ts";
export type { ToldLeaf, ToldProof } from "./answers/proof.ts";
export type { ToldReads, ToldTraces } from "./answers/reads.ts";
export type { ToldReceipt } from "./answers/receipt.ts";
export type { ToldUpdate } from "./answers/state-update.ts";
export type { RpcChannel } from "./channel.ts";
export { createHttpChannel, type HttpChannelOptions } from "./http-channel.ts";
export { NodeClient, type ProofRequest } from "./node-client.ts";
export { RpcRefusal } from "./rpc-refusal.ts";
