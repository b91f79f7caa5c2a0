import { StorageError } from "#base/errors/index.ts";
import { FELT_BYTES } from "#base/primitives/index.ts";
import { bitAt, differenceHeight, overlaySpan, setBit } from "./bits.ts";
import { Bottom, type Link } from "./node.ts";
import {
  damaged,
  edgeSize,
  KIND_CHILDREN,
  KIND_ROOT_LINK,
  leafValue,
  readId,
  readLink,
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
): readonly [Link, Link] {
  const row = loadRow(source, id);
  if (row[0] !== KIND_CHILDREN) throw damaged(id);
  const left = readLink(row, 1, height - 1, id);
  return [left, readLink(row, left.end, height - 1, id)];
}

/**
 * What stands at the top of a stored trie: an edge, or the id of the topmost node.
 *
 * @throws {StorageError} when the root's row is missing or damaged
 */
export function loadRootEdge(source: TrieNodeSource, root: TrieRoot, height: number): Link | null {
  const row = loadRow(source, root.id);
  if (row[0] === KIND_CHILDREN) return null;
  if (row[0] !== KIND_ROOT_LINK) throw damaged(root.id);
  return readLink(row, 1, height, root.id);
}

/**
 * The bottom of a link.
 *
 * @param key - any key below the link's parent, used for the bits above the link
 * @param side - 0 for the left child, 1 for the right one, -1 for a root
 */
export function openLink(link: Link, key: Uint8Array, keyAt: number, side: number): Bottom {
  if (link.bottom !== null) return link.bottom;
  const { row, topHeight, height } = link;
  if (row === null) throw damaged(0);
  let bottomKey = key;
  let bottomKeyAt = keyAt;
  const turns = side >= 0 && bitAt(key, keyAt, topHeight) !== side;
  if (turns || !edgeMatches(link, key, keyAt)) {
    bottomKey = key.slice(keyAt, keyAt + FELT_BYTES);
    bottomKeyAt = 0;
    if (side >= 0) setBit(bottomKey, 0, topHeight, side);
    if (topHeight > height) overlaySpan(bottomKey, 0, row, link.start + 1, topHeight, height);
  }
  const at = link.start + 1 + edgeSize(topHeight, height);
  if (height > 0) {
    const id = readId(row, at + FELT_BYTES);
    return (link.bottom = new Bottom(height, bottomKey, bottomKeyAt, row, at, id));
  }
  return (link.bottom = new Bottom(0, bottomKey, bottomKeyAt, leafValue(row, at), 0));
}

/** Whether the edge of a link of a row leads towards `key`. */
export function edgeMatches(link: Link, key: Uint8Array, keyAt: number): boolean {
  const { row, topHeight, height, start } = link;
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
