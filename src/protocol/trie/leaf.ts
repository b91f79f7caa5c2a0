import { bytesFromFelt, type Felt, FELT_BYTES, feltFromBytes } from "#base/primitives/index.ts";
import { bitAt } from "./bits.ts";
import type { RowEdge } from "./node.ts";
import { edgeMatches, loadEdges, loadRootEdge, openEdge } from "./open.ts";
import type { TrieNodeSource, TrieRoot } from "./store.ts";

/**
 * Returns the value of a key in a stored trie; 0 without a leaf.
 *
 * @param root - `undefined` for an empty trie
 * @param key - below 2^height
 * @throws {StorageError} when a row is missing or damaged
 */
export function leafAt(
  source: TrieNodeSource,
  root: TrieRoot | undefined,
  height: number,
  key: Felt,
): Felt {
  if (root === undefined) return 0n;
  const bytes = bytesFromFelt(key);
  let edge: RowEdge | null = loadRootEdge(source, root, height);
  let side = -1;
  let node = { id: root.id, height };
  for (;;) {
    if (edge !== null) {
      if (!edgeMatches(edge, bytes, 0)) return 0n;
      const { hash, hashAt, id } = openEdge(edge, bytes, 0, side);
      if (edge.height === 0) return feltFromBytes(hash.subarray(hashAt, hashAt + FELT_BYTES));
      node = { id, height: edge.height };
    }
    side = bitAt(bytes, 0, node.height - 1);
    const [left, right] = loadEdges(source, node.id, node.height);
    edge = side === 0 ? left : right;
  }
}
