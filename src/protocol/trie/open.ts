import { StorageError } from "#base/errors/index.ts";
import { FELT_BYTES } from "#base/primitives/index.ts";
import { bitAt, differenceHeight, overlaySpan, setBit } from "./bits.ts";
import { BinaryNode, type Edge } from "./node.ts";
import {
  damaged,
  edgeSize,
  KIND_CHILDREN,
  KIND_ROOT_EDGE,
  leafValue,
  readId,
  readEdge,
} from "./row.ts";
import type { TrieNodeSource, TrieRoot } from "./store.ts";

/**
 * The children of a stored node.
 *
 * @throws {StorageError} when the row is missing or damaged
 */
export function loadChildren(
  source: TrieNodeSource,
  id: number,
  height: number,
): readonly [Edge, Edge] {
  const row = loadRow(source, id);
  if (row[0] !== KIND_CHILDREN) throw damaged(id);
  const left = readEdge(row, 1, height - 1, id);
  return [left, readEdge(row, left.end, height - 1, id)];
}

/**
 * What stands at the top of a stored trie: an edge, or the id of the topmost node.
 *
 * @throws {StorageError} when the root's row is missing or damaged
 */
export function loadRootEdge(source: TrieNodeSource, root: TrieRoot, height: number): Edge | null {
  const row = loadRow(source, root.id);
  if (row[0] === KIND_CHILDREN) return null;
  if (row[0] !== KIND_ROOT_EDGE) throw damaged(root.id);
  return readEdge(row, 1, height, root.id);
}

/**
 * The child of an edge.
 *
 * @param key - any key below the edge's parent, used for the bits above the edge
 * @param side - 0 for the left child, 1 for the right one, -1 for a root
 */
export function openEdge(edge: Edge, key: Uint8Array, keyAt: number, side: number): BinaryNode {
  if (edge.child !== null) return edge.child;
  const { row, topHeight, height } = edge;
  if (row === null) throw damaged(0);
  let childKey = key;
  let childKeyAt = keyAt;
  const turns = side >= 0 && bitAt(key, keyAt, topHeight) !== side;
  if (turns || !edgeMatches(edge, key, keyAt)) {
    childKey = key.slice(keyAt, keyAt + FELT_BYTES);
    childKeyAt = 0;
    if (side >= 0) setBit(childKey, 0, topHeight, side);
    if (topHeight > height) overlaySpan(childKey, 0, row, edge.start + 1, topHeight, height);
  }
  const at = edge.start + 1 + edgeSize(topHeight, height);
  if (height > 0) {
    const id = readId(row, at + FELT_BYTES);
    return (edge.child = new BinaryNode(height, childKey, childKeyAt, row, at, id));
  }
  return (edge.child = new BinaryNode(0, childKey, childKeyAt, leafValue(row, at), 0));
}

/** Whether an edge of a row leads towards `key`. */
export function edgeMatches(edge: Edge, key: Uint8Array, keyAt: number): boolean {
  const { row, topHeight, height, start } = edge;
  if (topHeight === height || row === null) return true;
  // The span stands where the key's own bytes would be.
  const first = 31 - ((topHeight - 1) >> 3);
  return differenceHeight(row, start + 1 - first, key, keyAt, topHeight, height) === 0;
}

function loadRow(source: TrieNodeSource, id: number): Uint8Array {
  const row = source.node(id);
  if (row === undefined) {
    throw new StorageError("STORAGE_TRIE_NODE_MISSING", `trie node ${id} is missing`, {
      meta: { id },
    });
  }
  return row;
}
