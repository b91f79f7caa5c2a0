import type { Felt } from "#base/primitives/index.ts";
import { PEDERSEN, POSEIDON } from "#protocol/trie/index.ts";
import { PartialTrie } from "./partial-trie.ts";

/** A contract as its leaf shows it; all 0 where there is none. */
export interface ProvenContract {
  readonly classHash: Felt;
  readonly nonce: Felt;
  readonly storage: PartialTrie;
}

/** What is proven of the state after one block. */
export interface ProvenState {
  readonly contractsTrie: PartialTrie;
  readonly classesTrie: PartialTrie;
  readonly contracts: Map<Felt, ProvenContract>;
  /** Leaves of the classes trie; 0 where there is none. */
  readonly classLeaves: Map<Felt, Felt>;
}

/** A state of which the roots are proven and nothing else yet. */
export function provenState(contractsRoot: Felt, classesRoot: Felt): ProvenState {
  return {
    contractsTrie: new PartialTrie("contracts trie", contractsRoot, PEDERSEN),
    classesTrie: new PartialTrie("classes trie", classesRoot, POSEIDON),
    contracts: new Map(),
    classLeaves: new Map(),
  };
}
