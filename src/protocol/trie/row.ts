import { StorageError } from "#base/errors/index.ts";
import { FELT_BYTES } from "#base/primitives/index.ts";
import { copyFelt, significantBytes, spanLength, writeSpan } from "./bits.ts";
import type { Link } from "./node.ts";

/**
 * Rows of a trie. Only nodes with two children have rows; links and leaves are stored inside of their
 * parent's row, so that neither siblings nor leaves have to be loaded for a new hash.
 *
 * Row: byte 0 is the kind. Kind 0, two children of a node: left link, right link. Kind 1, the root
 * of a trie whose topmost node is not at full height: one link.
 * Link: height of the bottom (1 byte); with an edge: the bytes of the key that hold its bits, others
 * 0, then its hash (32); then for a leaf its value (length byte and that many bytes), for a node its
 * hash (32) and row id (6). Numbers are big-endian.
 */

/** Kind of the row of a node with two children. */
export const KIND_CHILDREN = 0;

/** Kind of the row of a root that is an edge. */
export const KIND_ROOT_LINK = 1;

const ID_BYTES = 6;
const MAX_HEIGHT = 255;

/** The row of a node with two children that are hashed and numbered. */
export function encodeChildren([left, right]: readonly [Link, Link]): Uint8Array {
  const leftSize = linkSize(left);
  const bytes = new Uint8Array(1 + leftSize + linkSize(right));
  bytes[0] = KIND_CHILDREN;
  writeLink(bytes, 1, left);
  writeLink(bytes, 1 + leftSize, right);
  return bytes;
}

/** The row of a root that is an edge. */
export function encodeRootLink(link: Link): Uint8Array {
  const bytes = new Uint8Array(1 + linkSize(link));
  bytes[0] = KIND_ROOT_LINK;
  writeLink(bytes, 1, link);
  return bytes;
}

/** The error for a row that no trie writes. */
export function damaged(id: number): StorageError {
  return new StorageError("STORAGE_TRIE_NODE_DAMAGED", `trie node ${id} is damaged`, {
    meta: { id },
  });
}

/** Bytes of a link's edge in a row. */
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
 * The link that stands at `start` of row `id`.
 *
 * @throws {StorageError} when the row is damaged
 */
export function readLink(row: Uint8Array, start: number, topHeight: number, id: number): Link {
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
    bottom: null,
    row,
    start,
    end,
  };
}

function linkSize(link: Link): number {
  if (link.row !== null) return link.end - link.start;
  const { bottom, topHeight, height } = link;
  if (bottom === null) throw damaged(0);
  const body =
    height === 0 ? 1 + significantBytes(bottom.hash, bottom.hashAt) : FELT_BYTES + ID_BYTES;
  return 1 + edgeSize(topHeight, height) + body;
}

function writeLink(bytes: Uint8Array, offset: number, link: Link): void {
  const { row, bottom, topHeight, height } = link;
  if (row !== null) {
    const { start, end } = link;
    for (let i = start; i < end; i++) bytes[offset + i - start] = row[i] as number;
    return;
  }
  if (bottom === null) throw damaged(0);
  bytes[offset] = height;
  let at = offset + 1;
  if (topHeight > height) {
    writeSpan(bytes, at, bottom.key, bottom.keyAt, topHeight, height);
    at += spanLength(topHeight, height);
    copyFelt(bytes, at, link.hash, link.hashAt);
    at += FELT_BYTES;
  }
  if (height > 0) {
    copyFelt(bytes, at, bottom.hash, bottom.hashAt);
    writeId(bytes, at + FELT_BYTES, bottom.id);
    return;
  }
  const length = significantBytes(bottom.hash, bottom.hashAt);
  const skip = bottom.hashAt + FELT_BYTES - length;
  bytes[at] = length;
  for (let i = 0; i < length; i++) bytes[at + 1 + i] = bottom.hash[skip + i] as number;
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
