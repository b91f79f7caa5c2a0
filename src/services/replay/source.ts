import type { NodeClient } from "#io/client/index.ts";

/** Requests that a replay sends to the node. */
export type ReplayPort = Pick<
  NodeClient,
  | "chainId"
  | "block"
  | "blockHashes"
  | "stateUpdate"
  | "traces"
  | "storageProof"
  | "contractClass"
  | "compiledClass"
>;
