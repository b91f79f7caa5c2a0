export {
  type RemoteBlock,
  type RemoteBody,
  remoteBody,
  remoteCommitments,
  type RemoteHashes,
  type RemoteHashList,
  remoteHashList,
  type RemoteHead,
  remoteHead,
} from "./answers/block.ts";
export { remoteClass } from "./answers/contract-class.ts";
export { type RemoteLeaf, type RemoteProof, remoteProof } from "./answers/proof.ts";
export {
  type RemoteReads,
  type RemoteTraceRow,
  type RemoteTraces,
  remoteTraceRows,
} from "./answers/reads.ts";
export type { RemoteReceipt } from "./answers/receipt.ts";
export type { RemoteCall } from "./answers/call.ts";
export { type RemoteMain, type RemoteTrace, remoteTrace } from "./answers/trace.ts";
export { type RemoteUpdate, remoteUpdate } from "./answers/state-update.ts";
export type { RpcChannel, RpcParams } from "./channel.ts";
export { FeltDigest, FeltDigester } from "./felts/felt-digest.ts";
export { FeltLists, type RemoteFelts } from "./felts/felt-lists.ts";
export { createHttpChannel, type HttpChannelOptions } from "./http-channel.ts";
export { NodeClient, type ProofRequest } from "./node-client.ts";
export { STREAM_LIMITS, type StreamLimits } from "./stream-answer.ts";
export { refusalOf } from "./rpc-error.ts";
export { RpcRefusal } from "./rpc-refusal.ts";
