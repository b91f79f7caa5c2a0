import { StorageError } from "#base/errors/index.ts";
import { FELT_BYTES, FIELD_PRIME, readFelt } from "#base/primitives/index.ts";
import { copyFelt, significantBytes, spanLength, writeSpan } from "./bits.ts";
import type { BinaryNode, Edge, RowEdge } from "./node.ts";

/**
 * Row format of a trie. Only binary nodes have rows, and roots that are an edge; edges and leaves are stored
 * in their parent's row. Hashes that are cheap to compute are not stored: never an edge's hash, and a node's
 * own hash (in its row, not in those above) only if computing it takes more than {@link MAX_COST} hashes.
 *
 * Row: flags; the node's hash (32 bytes) when {@link HAS_HASH} is set; the left edge, the right one. A root
 * that is an edge ({@link ROOT_EDGE}) has only that edge.
 *
 * Edge to a leaf: the bytes of the key that hold the bits of its path, others 0; the leaf's value, a length
 * byte before it. Edge to a node: for a length above 0, the node's height (1 byte) and the path; then the
 * difference of this row's id and the node's, as a varint. Numbers are big-endian.
 */

/**
 * Limit for omitting a node's hash from its row: the row contains the hash if computing it takes
 * more than this many hashes.
 */
export const MAX_COST = 5;

const HAS_HASH = 1;
const ROOT_EDGE = 2;
/** Flags of the left edge; those of the right one are two bits higher. */
const TO_LEAF = 4;
const HAS_LENGTH = 8;
const SIDE_BITS = 2;

const MAX_ID = 2 ** 48;

/** First byte of P: felts with a lower first byte need no comparison. */
const FIRST_BYTE_OF_PRIME = 8;

/** Encodes the row of a binary node whose children have hashes and ids. */
export function encodeNode(node: BinaryNode): Uint8Array {
  const { children, id, hash, hashAt, cost } = node;
  if (children === null) throw damaged(id);
  const [left, right] = children;
  const own = cost === 0 ? FELT_BYTES : 0;
  const leftSize = edgeSize(left, id);
  const bytes = new Uint8Array(1 + own + leftSize + edgeSize(right, id));
  bytes[0] = (own === 0 ? 0 : HAS_HASH) | flagsOf(left) | (flagsOf(right) << SIDE_BITS);
  if (own !== 0) copyFelt(bytes, 1, hash, hashAt);
  writeEdge(bytes, 1 + own, left, id);
  writeEdge(bytes, 1 + own + leftSize, right, id);
  return bytes;
}

/** Encodes the row of a root that is an edge. */
export function encodeRootEdge(edge: Edge, id: number): Uint8Array {
  const bytes = new Uint8Array(1 + edgeSize(edge, id));
  bytes[0] = ROOT_EDGE | flagsOf(edge);
  writeEdge(bytes, 1, edge, id);
  return bytes;
}

/** Creates the error for a row with an invalid encoding. */
export function damaged(id: number): StorageError {
  return new StorageError("STORAGE_TRIE_NODE_DAMAGED", `trie node ${id} is damaged`, {
    meta: { id },
  });
}

/** Whether a row is a root that is an edge. */
export function isRootEdge(row: Uint8Array): boolean {
  return ((row[0] as number) & ROOT_EDGE) !== 0;
}

/**
 * Offset of the node's hash in its row; 0 if the row does not contain it.
 *
 * @throws {StorageError} when the row is damaged
 */
export function hashPosition(row: Uint8Array, id: number): number {
  if (((row[0] ?? 0) & HAS_HASH) === 0) return 0;
  if (row.length <= FELT_BYTES) throw damaged(id);
  requireFelt(row, 1, id);
  return 1;
}

/**
 * Reads the edge of a root's row.
 *
 * @throws {StorageError} when the row is damaged
 */
export function readRootEdge(row: Uint8Array, id: number, height: number): RowEdge {
  return readEdge(row, 1, row[0] as number, height, id);
}

/**
 * Reads the edges of a node's row.
 *
 * @throws {StorageError} when the row is damaged
 */
export function readEdges(row: Uint8Array, id: number, height: number): [RowEdge, RowEdge] {
  const flags = row[0] ?? ROOT_EDGE;
  if ((flags & ROOT_EDGE) !== 0) throw damaged(id);
  const start = (flags & HAS_HASH) === 0 ? 1 : 1 + FELT_BYTES;
  const left = readEdge(row, start, flags, height - 1, id);
  return [left, readEdge(row, left.end, flags >> SIDE_BITS, height - 1, id)];
}

/** Reads the value of a leaf at `at`, after its length byte, as 32 bytes. */
export function leafValue(row: Uint8Array, at: number): Uint8Array {
  const value = new Uint8Array(FELT_BYTES);
  const length = row[at - 1] as number;
  const shift = FELT_BYTES - length;
  for (let i = 0; i < length; i++) value[shift + i] = row[at + i] as number;
  return value;
}

function readEdge(
  row: Uint8Array,
  start: number,
  flags: number,
  topHeight: number,
  id: number,
): RowEdge {
  let at = start;
  if ((flags & TO_LEAF) !== 0) {
    const valueAt = at + spanLength(topHeight, 0) + 1;
    const length = row[valueAt - 1] ?? FELT_BYTES + 1;
    const end = valueAt + length;
    if (length > FELT_BYTES || end > row.length) throw damaged(id);
    if (length === FELT_BYTES) requireFelt(row, valueAt, id);
    return { topHeight, height: 0, row, pathAt: at, valueAt, id: 0, end, child: null };
  }
  let height = topHeight;
  let pathAt = at;
  if ((flags & HAS_LENGTH) !== 0) {
    height = row[at] ?? topHeight;
    if (height >= topHeight) throw damaged(id);
    pathAt = at + 1;
    at = pathAt + spanLength(topHeight, height);
  }
  if (height === 0) throw damaged(id);
  let distance = 0;
  let scale = 1;
  for (;;) {
    const byte = row[at++];
    if (byte === undefined || scale > MAX_ID) throw damaged(id);
    distance += (byte & 0x7f) * scale;
    if (byte < 0x80) break;
    scale *= 0x80;
  }
  if (distance < 1 || distance >= id) throw damaged(id);
  return { topHeight, height, row, pathAt, valueAt: 0, id: id - distance, end: at, child: null };
}

/** Hash functions accept felts only; other bytes mean damage. */
function requireFelt(row: Uint8Array, at: number, id: number): void {
  if ((row[at] as number) < FIRST_BYTE_OF_PRIME) return;
  const view = new DataView(row.buffer, row.byteOffset + at, FELT_BYTES);
  if (readFelt(view, 0) >= FIELD_PRIME) throw damaged(id);
}

function flagsOf({ topHeight, child }: Edge): number {
  if (child.height === 0) return TO_LEAF;
  return topHeight > child.height ? HAS_LENGTH : 0;
}

function edgeSize({ topHeight, child }: Edge, id: number): number {
  const { height } = child;
  const span = spanLength(topHeight, height);
  if (height === 0) return span + 1 + significantBytes(child.hash, child.hashAt);
  return (topHeight > height ? span + 1 : 0) + varintSize(id - child.id);
}

function writeEdge(bytes: Uint8Array, start: number, edge: Edge, id: number): void {
  const { child, topHeight } = edge;
  const { height } = child;
  let at = start;
  if (topHeight > height) {
    if (height > 0) bytes[at++] = height;
    writeSpan(bytes, at, child.key, child.keyAt, topHeight, height);
    at += spanLength(topHeight, height);
  }
  if (height === 0) {
    const length = significantBytes(child.hash, child.hashAt);
    const skip = child.hashAt + FELT_BYTES - length;
    bytes[at++] = length;
    for (let i = 0; i < length; i++) bytes[at + i] = child.hash[skip + i] as number;
    return;
  }
  let rest = id - child.id;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes[at++] = (rest % 0x80) | 0x80;
  bytes[at] = rest;
}

function varintSize(value: number): number {
  let size = 1;
  for (let rest = value; rest >= 0x80; rest = Math.floor(rest / 0x80)) size++;
  return size;
}
