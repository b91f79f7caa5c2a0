import type { Felt } from "#base/primitives/index.ts";
import { type CommitmentHash, IndexTree } from "#protocol/chain/index-tree.ts";

/** The root of an {@link IndexTree} with these leaves. */
export function indexTreeRoot(leaves: readonly Felt[], hash: CommitmentHash = "poseidon"): Felt {
  const tree = new IndexTree(hash);
  tree.add(leaves);
  return tree.root();
}
