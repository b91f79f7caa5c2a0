import { FELT_BYTES } from "#base/primitives/index.ts";
import { overlaySpan, spanLength } from "./bits.ts";
import type { TrieHash } from "./hash-function.ts";
import { HashRounds } from "./hashing.ts";
import { BinaryNode, type Edge, leafNode } from "./node.ts";
import { NodeHashes } from "./node-hashes.ts";
import { damaged, encodeNode, encodeRootEdge } from "./row.ts";

/**
 * Previous row format, which stored every hash; converts its rows to the format of `row.ts`.
 *
 * Row: byte 0 is the kind. Kind 0, two children of a node: left edge, right edge. Kind 1, the root of a trie
 * whose topmost node is not at full height: one edge.
 *
 * Edge: height of the child (1 byte). Unless its length is 0: the bytes of the key that hold its bits, others
 * 0, then its hash (32). Then for a leaf its value (length byte and that many bytes), for a node its hash
 * (32) and row id (6). Numbers are big-endian.
 */

const KIND_ROOT_EDGE = 1;
const ID_BYTES = 6;

/** Trie row decoded from the previous storage format; only the migration of a database reads it. */
export interface EarlierRow {
  readonly id: number;
  readonly height: number;
  /** Two edges for a node, one for a root that is an edge. */
  readonly edges: readonly Edge[];
}

/**
 * Decodes a trie row of the previous storage format, for the migration to the format of `row.ts`.
 *
 * @param height - height of its node, or of the whole trie for a root
 * @throws {StorageError} when the row is damaged
 */
export function readEarlierRow(row: Uint8Array, id: number, height: number): EarlierRow {
  if (row[0] === KIND_ROOT_EDGE) {
    return { id, height, edges: [readEdge(row, 1, height, id).edge] };
  }
  if (row[0] !== 0) throw damaged(id);
  const left = readEdge(row, 1, height - 1, id);
  return { id, height, edges: [left.edge, readEdge(row, left.end, height - 1, id).edge] };
}

/**
 * Converts rows to the format of `row.ts`.
 *
 * @param rows - in ascending order of their ids
 * @param costs - costs of nodes by id; receives those of `rows`
 */
export function convertEarlierRows(
  rows: readonly EarlierRow[],
  hash: TrieHash,
  costs: Uint8Array,
): { readonly id: number; readonly bytes: Uint8Array }[] {
  const rounds = new HashRounds(hash, new NodeHashes(0));
  const nodes = rows.map(({ id, height, edges: [left, right] }) => {
    for (const edge of [left, right]) {
      if (edge !== undefined && edge.child.height > 0) edge.child.cost = costs[edge.child.id] ?? 0;
    }
    if (left === undefined) throw damaged(id);
    if (right === undefined) return { id, left };
    const node = rounds.node(height, [left, right], left.child);
    node.id = id;
    costs[id] = node.cost;
    return { id, left, node };
  });
  rounds.run();
  return nodes.map(({ id, left, node }) => ({
    id,
    bytes: node === undefined ? encodeRootEdge(left, id) : encodeNode(node),
  }));
}

function readEdge(
  row: Uint8Array,
  start: number,
  topHeight: number,
  id: number,
): { readonly edge: Edge; readonly end: number } {
  const height = row[start] ?? topHeight + 1;
  if (height > topHeight) throw damaged(id);
  const hasLength = topHeight > height;
  const pathAt = start + 1;
  const at = hasLength ? pathAt + spanLength(topHeight, height) + FELT_BYTES : pathAt;
  const key = new Uint8Array(FELT_BYTES);
  const length = height > 0 ? FELT_BYTES + ID_BYTES : 1 + (row[at] ?? 0);
  const end = at + length;
  if (end > row.length || length > FELT_BYTES + ID_BYTES) throw damaged(id);
  if (hasLength) overlaySpan(key, 0, row, pathAt, topHeight, height);
  const value = new Uint8Array(FELT_BYTES);
  if (height === 0) {
    if (length > 1 + FELT_BYTES) throw damaged(id);
    value.set(row.subarray(at + 1, end), FELT_BYTES - (length - 1));
  }
  const child = height === 0 ? leafNode(key, 0, value, 0) : new BinaryNode(height, key, 0, 0, 0);
  if (height > 0) {
    child.id = readId(row, at + FELT_BYTES);
    child.hash = row;
    child.hashAt = at;
  }
  const [hash, hashAt] = hasLength ? [row, at - FELT_BYTES] : [child.hash, child.hashAt];
  return { edge: { topHeight, child, hash, hashAt, rank: 0 }, end };
}

function readId(bytes: Uint8Array, at: number): number {
  let id = 0;
  for (let i = 0; i < ID_BYTES; i++) id = id * 256 + (bytes[at + i] as number);
  return id;
}
