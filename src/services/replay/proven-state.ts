import type { Felt } from "#base/primitives/index.ts";
import { PEDERSEN, POSEIDON } from "#protocol/trie/index.ts";
import { PartialTrie } from "./partial-trie.ts";

/** A contract according to its leaf; all values are 0 when it does not exist. */
export interface ProvenContract {
  readonly classHash: Felt;
  readonly nonce: Felt;
  readonly storage: PartialTrie;
}

/** The proven part of the state after one block. */
export interface ProvenState {
  readonly contractsTrie: PartialTrie;
  readonly classesTrie: PartialTrie;
  readonly contracts: Map<Felt, ProvenContract>;
  /** Leaves of the classes trie; 0 when unset. */
  readonly classLeaves: Map<Felt, Felt>;
}

/** Creates a state of which only the roots are proven. */
export function provenState(contractsRoot: Felt, classesRoot: Felt): ProvenState {
  return {
    contractsTrie: new PartialTrie("contracts trie", contractsRoot, PEDERSEN),
    classesTrie: new PartialTrie("classes trie", classesRoot, POSEIDON),
    contracts: new Map(),
    classLeaves: new Map(),
  };
}
