import { StorageError } from "#base/errors/index.ts";
import { FELT_BYTES } from "#base/primitives/index.ts";
import {
  bitAt,
  copyFelt,
  differenceHeight,
  overlaySpan,
  setBit,
  significantBytes,
  spanLength,
  writeSpan,
} from "./bits.ts";
import type { TrieNodeSource, TrieRoot } from "./store.ts";

/**
 * Nodes of a binary Patricia trie in memory and their rows.
 *
 * Heights count from the leaves: a node of height h covers 2^h keys. A "bottom" is a leaf or a node
 * with two children; a "link" is what stands above it: nothing, or one edge when the parent is more
 * than one level up. Only nodes with two children have rows; links and leaves are stored inside of
 * their parent's row, so that neither siblings nor leaves have to be loaded for a new hash.
 *
 * Row: byte 0 is the kind. Kind 0, two children of a node: left link, right link. Kind 1, the root
 * of a trie whose topmost node is not at full height: one link.
 * Link: height of the bottom (1 byte); with an edge: the bytes of the key that hold its bits, others
 * 0, then its hash (32); then for a leaf its value (length byte and that many bytes), for a node its
 * hash (32) and row id (6). Numbers are big-endian.
 */

/** A leaf (height 0) or a node with two children. */
export class Bottom {
  readonly height: number;
  /** A key whose bits from `height` on lead here; the lower bits mean nothing. */
  readonly key: Uint8Array;
  readonly keyAt: number;
  /** Value of a leaf, hash of a node; not set while `rank` is positive and hashing did not run. */
  hash: Uint8Array;
  hashAt: number;
  /** Rounds of hashing until the hash is known. */
  readonly rank: number;
  /** Row of a stored node; 0 for leaves and for nodes without a row yet. */
  id: number;
  /** Children of a new node; `null` for leaves and stored nodes. */
  readonly children: readonly [Link, Link] | null;

  constructor(
    height: number,
    key: Uint8Array,
    keyAt: number,
    hash: Uint8Array,
    hashAt: number,
    id = 0,
    rank = 0,
    children: readonly [Link, Link] | null = null,
  ) {
    this.height = height;
    this.key = key;
    this.keyAt = keyAt;
    this.hash = hash;
    this.hashAt = hashAt;
    this.rank = rank;
    this.id = id;
    this.children = children;
  }
}

/** A bottom as seen from `topHeight`. */
export interface Link {
  readonly topHeight: number;
  /** Height of the bottom. */
  readonly height: number;
  /** Hash of the edge, or the bottom's hash without one; see {@link Bottom.hash}. */
  hash: Uint8Array;
  hashAt: number;
  readonly rank: number;
  /** The bottom of a new link. Links of rows are opened on demand: {@link openLink}. */
  bottom: Bottom | null;
  /** Where a link of a row stands in it; an unchanged link is copied from there. */
  readonly row: Uint8Array | null;
  readonly start: number;
  readonly end: number;
}

const KIND_CHILDREN = 0;
const KIND_ROOT_LINK = 1;
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

function damaged(id: number): StorageError {
  return new StorageError("STORAGE_TRIE_NODE_DAMAGED", `trie node ${id} is damaged`, {
    meta: { id },
  });
}

/** Bytes of a link's edge in a row. */
function edgeSize(topHeight: number, height: number): number {
  return topHeight === height ? 0 : spanLength(topHeight, height) + FELT_BYTES;
}

function leafValue(row: Uint8Array, at: number): Uint8Array {
  const value = new Uint8Array(FELT_BYTES);
  const length = row[at] as number;
  const shift = FELT_BYTES - length;
  for (let i = 0; i < length; i++) value[shift + i] = row[at + 1 + i] as number;
  return value;
}

function readLink(row: Uint8Array, start: number, topHeight: number, id: number): Link {
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

function readId(bytes: Uint8Array, at: number): number {
  let id = 0;
  for (let i = 0; i < ID_BYTES; i++) id = id * 256 + (bytes[at + i] as number);
  return id;
}
