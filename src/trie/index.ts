export { PEDERSEN, POSEIDON, type TrieHash } from "./hash-function.ts";
export {
  proofNodeHash,
  type ProofNode,
  type ProofResult,
  proveKeys,
  verifyProof,
} from "./proof.ts";
export {
  applyStateDiff,
  classLeaf,
  contractLeaf,
  type ContractReader,
  STATE_TRIE_HEIGHT,
  type StateChanges,
  stateRootHash,
  type StateTrieInput,
  type StateTrieResult,
} from "./state-tries.ts";
export type {
  AddedNode,
  ChangedRoot,
  TrieChanges,
  TrieKind,
  TrieName,
  TrieNodeSource,
  TrieReader,
  TrieRoot,
  TrieStore,
} from "./store.ts";
export { type LeafUpdate, type UpdatedTrie, updateTrie } from "./update.ts";
