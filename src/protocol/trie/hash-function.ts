import {
  pedersen,
  pedersenBatchBytes,
  poseidon,
  poseidonBatchBytes,
} from "#protocol/crypto/index.ts";
import type { Felt } from "#base/primitives/index.ts";

/** Two-to-one hash of trie nodes. */
export interface TrieHash {
  readonly name: "pedersen" | "poseidon";
  pair(left: Felt, right: Felt): Felt;
  /**
   * Hashes consecutive pairs, several times faster per pair: 64 bytes each (two canonical felts, big-endian)
   * to 32 bytes each. The caller owns the result.
   */
  pairs(bytes: Uint8Array): Uint8Array;
}

/** Hash function of the contracts trie and of storage tries. */
export const PEDERSEN: TrieHash = { name: "pedersen", pair: pedersen, pairs: pedersenBatchBytes };

/** Hash function of the classes trie. */
export const POSEIDON: TrieHash = { name: "poseidon", pair: poseidon, pairs: poseidonBatchBytes };
