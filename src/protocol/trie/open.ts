import { StorageError } from "#base/errors/index.ts";
import { FELT_BYTES } from "#base/primitives/index.ts";
import { bitAt, differenceHeight, overlaySpan, setBit } from "./bits.ts";
import { BinaryNode, leafNode, type RowEdge, UNRESOLVED } from "./node.ts";
import { isRootEdge, leafValue, readEdges, readRootEdge } from "./row.ts";
import type { TrieNodeSource, TrieRoot } from "./store.ts";

/**
 * Reads the edges of a stored node.
 *
 * @throws {StorageError} when the row is missing or damaged
 */
export function loadEdges(
  source: TrieNodeSource,
  id: number,
  height: number,
): readonly [RowEdge, RowEdge] {
  return readEdges(loadRow(source, id), id, height);
}

/**
 * Reads the top edge of a stored trie; `null` when its topmost node is at full height.
 *
 * @throws {StorageError} when the root's row is missing or damaged
 */
export function loadRootEdge(
  source: TrieNodeSource,
  root: TrieRoot,
  height: number,
): RowEdge | null {
  const row = loadRow(source, root.id);
  return isRootEdge(row) ? readRootEdge(row, root.id, height) : null;
}

/**
 * Returns the child of an edge.
 *
 * @param key - any key below the edge's parent, used for the bits above the edge
 * @param side - 0 for the left child, 1 for the right one, -1 for a root
 */
export function openEdge(edge: RowEdge, key: Uint8Array, keyAt: number, side: number): BinaryNode {
  if (edge.child !== null) return edge.child;
  const { row, topHeight, height, id } = edge;
  let childKey = key;
  let childKeyAt = keyAt;
  const turns = side >= 0 && bitAt(key, keyAt, topHeight) !== side;
  if (turns || !edgeMatches(edge, key, keyAt)) {
    childKey = key.slice(keyAt, keyAt + FELT_BYTES);
    childKeyAt = 0;
    if (side >= 0) setBit(childKey, 0, topHeight, side);
    if (topHeight > height) overlaySpan(childKey, 0, row, edge.pathAt, topHeight, height);
  }
  const child =
    height > 0
      ? new BinaryNode(height, childKey, childKeyAt, id, UNRESOLVED)
      : leafNode(childKey, childKeyAt, leafValue(row, edge.valueAt), 0);
  return (edge.child = child);
}

/** Whether an edge leads towards `key`. */
export function edgeMatches(edge: RowEdge, key: Uint8Array, keyAt: number): boolean {
  const { row, topHeight, height, pathAt } = edge;
  if (topHeight === height) return true;
  // Aligns the span with the same bits of the key.
  const first = 31 - ((topHeight - 1) >> 3);
  return differenceHeight(row, pathAt - first, key, keyAt, topHeight, height) === 0;
}

/**
 * Reads the row of a node.
 *
 * @throws {StorageError} when it is missing
 */
export function loadRow(source: TrieNodeSource, id: number): Uint8Array {
  const row = source.node(id);
  if (row === undefined) {
    throw new StorageError("STORAGE_TRIE_NODE_MISSING", `trie node ${id} is missing`, {
      meta: { id },
    });
  }
  return row;
}
