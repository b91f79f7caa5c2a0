import type { Felt } from "#base/primitives/index.ts";
import type { StateReader } from "#engine/state/index.ts";
import {
  type ProofNode,
  PEDERSEN,
  POSEIDON,
  proveKeys,
  STATE_TRIE_HEIGHT,
  type TrieName,
  type TrieReader,
} from "#protocol/trie/index.ts";
import type { QueryContext } from "../context.ts";
import type { ContractLeafData } from "../spec/answers.ts";
import { checkStopped } from "../stopped.ts";

/** Name of the trie of all contracts. */
export const CONTRACTS_TRIE: TrieName = { kind: "contracts", contractAddress: 0n };
/** Name of the trie of all Sierra classes. */
export const CLASSES_TRIE: TrieName = { kind: "classes", contractAddress: 0n };

/** Returns the name of a contract's storage trie. */
export function storageTrie(contractAddress: Felt): TrieName {
  return { kind: "storage", contractAddress };
}

/**
 * Tries and state after an accepted block, for one request. All reads end the request if it is cancelled, and
 * throw {@link StorageError} if a row is missing or damaged.
 */
export class ProvenState {
  readonly #tries: TrieReader;
  readonly #state: StateReader;

  constructor(context: QueryContext, blockNumber: number) {
    const tries = context.chain.trieAt(blockNumber);
    this.#state = context.chain.stateAt(blockNumber);
    this.#tries = {
      hashes: tries.hashes,
      root: (name) => tries.root(name),
      node(id) {
        checkStopped(context);
        return tries.node(id);
      },
    };
  }

  /** Returns the hash of a trie's root; 0 for an empty trie. */
  rootOf(name: TrieName): Felt {
    return this.#tries.root(name)?.hash ?? 0n;
  }

  /**
   * Returns the nodes on the paths to all keys, each once, parents before children; empty for an empty trie.
   *
   * @param keys - below 2^251
   */
  prove(name: TrieName, keys: readonly Felt[]): ProofNode[] {
    const hash = name.kind === "classes" ? POSEIDON : PEDERSEN;
    return proveKeys(this.#tries, this.#tries.root(name), STATE_TRIE_HEIGHT, keys, hash);
  }

  /** Returns the preimage of a contract's leaf; all zero if the contract does not exist. */
  contract(contractAddress: Felt): ContractLeafData {
    return {
      nonce: this.#state.nonceAt(contractAddress),
      classHash: this.#state.classHashAt(contractAddress),
      storageRoot: this.rootOf(storageTrie(contractAddress)),
    };
  }
}
