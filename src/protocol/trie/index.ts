export { type EarlierRow, readEarlierRow, convertEarlierRows } from "./earlier-row.ts";
export { PEDERSEN, POSEIDON, type TrieHash } from "./hash-function.ts";
export { leafAt } from "./leaf.ts";
export { NodeHashes } from "./node-hashes.ts";
export { type ProofNode, proofNodeHash, proveKeys } from "./proof.ts";
export {
  applyStateDiff,
  classLeaf,
  contractLeaf,
  type ContractReader,
  STATE_TRIE_HEIGHT,
  stateRootHash,
  type StateTrieResult,
} from "./state-tries.ts";
export type {
  AddedNode,
  TrieChanges,
  TrieKind,
  TrieName,
  TrieReader,
  TrieNodeSource,
  TrieRoot,
  TrieStore,
} from "./store.ts";
export type { LeafUpdate } from "./update-list.ts";
export { visitStateDiff } from "./visit.ts";
export { replacedRows, type TrieVerification, verifyTrie } from "./verify.ts";
