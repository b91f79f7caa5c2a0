import { StorageError } from "#base/errors/index.ts";
import { FELT_BYTES } from "#base/primitives/index.ts";
import { copyFelt, significantBytes, spanLength, writeSpan } from "./bits.ts";
import type { Edge } from "./node.ts";

/**
 * Rows of a trie. Only nodes with two children have rows; edges and leaves are stored inside of
 * their parent's row, so that neither siblings nor leaves have to be loaded for a new hash.
 *
 * Row: byte 0 is the kind. Kind 0, two children of a node: left edge, right edge. Kind 1, the root
 * of a trie whose topmost node is not at full height: one edge.
 * Edge: height of the child (1 byte); unless its length is 0: the bytes of the key that hold its
 * bits, others 0, then its hash (32); then for a leaf its value (length byte and that many bytes),
 * for a node its hash (32) and row id (6). Numbers are big-endian.
 */

/** Kind of the row of a node with two children. */
export const KIND_CHILDREN = 0;

/** Kind of the row of a root that is an edge. */
export const KIND_ROOT_EDGE = 1;

const ID_BYTES = 6;
const MAX_HEIGHT = 255;

/** The row of a node with two children that are hashed and numbered. */
export function encodeChildren([left, right]: readonly [Edge, Edge]): Uint8Array {
  const leftSize = encodedSize(left);
  const bytes = new Uint8Array(1 + leftSize + encodedSize(right));
  bytes[0] = KIND_CHILDREN;
  writeEdge(bytes, 1, left);
  writeEdge(bytes, 1 + leftSize, right);
  return bytes;
}

/** The row of a root that is an edge. */
export function encodeRootEdge(edge: Edge): Uint8Array {
  const bytes = new Uint8Array(1 + encodedSize(edge));
  bytes[0] = KIND_ROOT_EDGE;
  writeEdge(bytes, 1, edge);
  return bytes;
}

/** The error for a row that no trie writes. */
export function damaged(id: number): StorageError {
  return new StorageError("STORAGE_TRIE_NODE_DAMAGED", `trie node ${id} is damaged`, {
    meta: { id },
  });
}

/** Bytes of an edge's path and hash in a row; 0 for a length of 0. */
export function edgeSize(topHeight: number, height: number): number {
  return topHeight === height ? 0 : spanLength(topHeight, height) + FELT_BYTES;
}

/** The value of a leaf that stands at `at`, as 32 bytes. */
export function leafValue(row: Uint8Array, at: number): Uint8Array {
  const value = new Uint8Array(FELT_BYTES);
  const length = row[at] as number;
  const shift = FELT_BYTES - length;
  for (let i = 0; i < length; i++) value[shift + i] = row[at + 1 + i] as number;
  return value;
}

/**
 * The edge that stands at `start` of row `id`.
 *
 * @throws {StorageError} when the row is damaged
 */
export function readEdge(row: Uint8Array, start: number, topHeight: number, id: number): Edge {
  const height = row[start] ?? MAX_HEIGHT;
  if (height > topHeight) throw damaged(id);
  const at = start + 1 + edgeSize(topHeight, height);
  const valueLength = height === 0 ? (row[at] ?? MAX_HEIGHT) : 0;
  if (valueLength > FELT_BYTES) throw damaged(id);
  const end = at + (height === 0 ? 1 + valueLength : FELT_BYTES + ID_BYTES);
  if (end > row.length) throw damaged(id);
  const isBareLeaf = topHeight === 0;
  return {
    topHeight,
    height,
    hash: isBareLeaf ? leafValue(row, at) : row,
    hashAt: isBareLeaf ? 0 : topHeight === height ? at : at - FELT_BYTES,
    rank: 0,
    child: null,
    row,
    start,
    end,
  };
}

function encodedSize(edge: Edge): number {
  if (edge.row !== null) return edge.end - edge.start;
  const { child, topHeight, height } = edge;
  if (child === null) throw damaged(0);
  const body =
    height === 0 ? 1 + significantBytes(child.hash, child.hashAt) : FELT_BYTES + ID_BYTES;
  return 1 + edgeSize(topHeight, height) + body;
}

function writeEdge(bytes: Uint8Array, offset: number, edge: Edge): void {
  const { row, child, topHeight, height } = edge;
  if (row !== null) {
    const { start, end } = edge;
    for (let i = start; i < end; i++) bytes[offset + i - start] = row[i] as number;
    return;
  }
  if (child === null) throw damaged(0);
  bytes[offset] = height;
  let at = offset + 1;
  if (topHeight > height) {
    writeSpan(bytes, at, child.key, child.keyAt, topHeight, height);
    at += spanLength(topHeight, height);
    copyFelt(bytes, at, edge.hash, edge.hashAt);
    at += FELT_BYTES;
  }
  if (height > 0) {
    copyFelt(bytes, at, child.hash, child.hashAt);
    writeId(bytes, at + FELT_BYTES, child.id);
    return;
  }
  const length = significantBytes(child.hash, child.hashAt);
  const skip = child.hashAt + FELT_BYTES - length;
  bytes[at] = length;
  for (let i = 0; i < length; i++) bytes[at + 1 + i] = child.hash[skip + i] as number;
}

function writeId(bytes: Uint8Array, at: number, id: number): void {
  let rest = id;
  for (let i = ID_BYTES - 1; i >= 0; i--) {
    bytes[at + i] = rest % 256;
    rest = Math.floor(rest / 256);
  }
}

/** The row id that stands at `at`. */
export function readId(bytes: Uint8Array, at: number): number {
  let id = 0;
  for (let i = 0; i < ID_BYTES; i++) id = id * 256 + (bytes[at + i] as number);
  return id;
}
