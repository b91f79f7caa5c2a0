import { HashRounds } from "#protocol/trie/hashing.ts";
import { NodeHashes } from "#protocol/trie/index.ts";
import type { LeafUpdate, TrieHash, TrieRoot } from "#protocol/trie/index.ts";
import type { TrieNodeSource } from "#protocol/trie/store.ts";
import { PendingTrie, type UpdatedTrie } from "#protocol/trie/update.ts";

/**
 * Applies updates to one trie.
 *
 * @param root - initial root; `undefined` for an empty trie
 * @param updates - ascending by key, keys unique and below 2^height
 * @param allocateId - returns ascending row ids
 * @throws {StorageError} for a missing or damaged row
 */
export function updateTrie(
  source: TrieNodeSource,
  root: TrieRoot | undefined,
  height: number,
  hash: TrieHash,
  updates: readonly LeafUpdate[],
  allocateId: () => number,
): UpdatedTrie {
  const rounds = new HashRounds(hash, new NodeHashes(0));
  const pending = new PendingTrie(source, root, height, updates, rounds);
  rounds.run();
  return pending.finish(allocateId);
}
