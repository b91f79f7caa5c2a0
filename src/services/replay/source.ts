import type { NodeClient } from "#io/client/index.ts";

/** What a replay asks the node for. */
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
