import { StorageError } from "#base/errors/index.ts";
import {
  bytesFromFelt,
  type Felt,
  FELT_BYTES,
  feltFromBytes,
  readFelt,
} from "#base/primitives/index.ts";
import type { TrieHash } from "./hash-function.ts";
import type { BinaryNode, Edge } from "./node.ts";
import { loadRootEdge, openEdge } from "./open.ts";
import { PairChecks } from "./pair-checks.ts";
import {
  damaged,
  edgeSize,
  encodeChildren,
  encodeRootEdge,
  KIND_CHILDREN,
  readId,
  readEdge,
} from "./row.ts";
import type { TrieNodeSource, TrieRoot } from "./store.ts";

/** Rows whose hashes are computed at once: what is in memory is some hundred rows per level. */
const BATCH_ROWS = 256;

/** Which rows of a trie are looked at, and who is told what they hold. */
export interface TrieVerification {
  readonly source: TrieNodeSource;
  readonly root: TrieRoot;
  readonly height: number;
  readonly hash: TrieHash;
  /** Rows with ids up to this one are taken for verified: only those that others name are looked at. */
  readonly knownUpTo: number;
  /** A leaf of a row that is verified; its value may not have changed. */
  readonly onLeaf?: (key: Felt, value: Felt) => void;
  /** A row below that is taken for verified. */
  readonly onKnown?: (id: number) => void;
}

/** A row to be looked at, and what its parent says of it. */
interface Task {
  readonly id: number;
  readonly height: number;
  /** A key whose bits from `height` on lead to it. */
  readonly key: Uint8Array;
  readonly hash: Uint8Array;
  readonly hashAt: number;
}

/**
 * Verifies rows of a trie: each is read, has the form that it was written in, and its hashes are those
 * of what it holds and of the rows below.
 *
 * Cost: two to three hashes per row, in batches. It may be left between batches: it yields then.
 *
 * @returns the number of rows above `knownUpTo`
 * @throws {StorageError} when a row is missing or damaged, with its id in `meta`
 */
export function* verifyTrie(walk: TrieVerification): Generator<void, number> {
  const { source, root, height, hash, knownUpTo } = walk;
  const checks = new PairChecks(hash);
  const stack: Task[] = [];
  let count = 0;
  const follow = (edge: Edge, child: BinaryNode): void => {
    if (edge.height === 0) {
      const value = feltFromBytes(child.hash.subarray(child.hashAt, child.hashAt + FELT_BYTES));
      walk.onLeaf?.(keyOf(child), value);
      return;
    }
    const { id, key, keyAt, hash: own, hashAt } = child;
    stack.push({ id, height: edge.height, key: key.subarray(keyAt), hash: own, hashAt });
  };

  const edge = loadRootEdge(source, root, height);
  const rootHash = bytesFromFelt(root.hash);
  if (edge === null) {
    stack.push({ id: root.id, height, key: new Uint8Array(FELT_BYTES), hash: rootHash, hashAt: 0 });
  } else {
    const child = openEdge(edge, new Uint8Array(FELT_BYTES), 0, -1);
    requireForm(source, root.id, encodeRootEdge({ ...edge, row: null }));
    if (feltFromBytes(edge.hash.subarray(edge.hashAt, edge.hashAt + FELT_BYTES)) !== root.hash) {
      throw damaged(root.id);
    }
    checks.edge(edge, child, root.id);
    if (root.id > knownUpTo) {
      count++;
      follow(edge, child);
    } else walk.onKnown?.(root.id);
  }
  while (stack.length > 0) {
    for (const task of stack.splice(-BATCH_ROWS)) {
      const { left, right, children } = openRow(source, task);
      checks.pair(left, right, task.hash, task.hashAt, task.id);
      if (task.id <= knownUpTo) {
        walk.onKnown?.(task.id);
        continue;
      }
      count++;
      checks.edge(left, children[0], task.id);
      checks.edge(right, children[1], task.id);
      follow(left, children[0]);
      follow(right, children[1]);
    }
    checks.run();
    yield;
  }
  checks.run();
  return count;
}

/**
 * Rows of a trie that are not part of a newer one.
 *
 * @param isKept - whether a row is part of the newer trie with all rows below it
 * @param most - ends when there are more
 * @throws {StorageError} when a row is missing or damaged
 */
export function replacedRows(
  source: TrieNodeSource,
  root: TrieRoot,
  height: number,
  isKept: (id: number) => boolean,
  most: number,
): number[] {
  const replaced: number[] = [];
  const stack: { readonly id: number; readonly height: number }[] = [];
  const follow = (edge: Edge): void => {
    if (edge.height === 0 || edge.row === null) return;
    const at = edge.start + 1 + edgeSize(edge.topHeight, edge.height) + FELT_BYTES;
    stack.push({ id: readId(edge.row, at), height: edge.height });
  };
  if (isKept(root.id)) return replaced;
  const edge = loadRootEdge(source, root, height);
  if (edge === null) stack.push({ id: root.id, height });
  else {
    replaced.push(root.id);
    follow(edge);
  }
  for (let top = stack.pop(); top !== undefined && replaced.length <= most; top = stack.pop()) {
    if (isKept(top.id)) continue;
    const { left, right } = rowOf(source, top.id, top.height);
    replaced.push(top.id);
    follow(left);
    follow(right);
  }
  return replaced;
}

/** The row's edges, opened, after it was compared with the form that it must have. */
function openRow(source: TrieNodeSource, { id, height, key }: Task) {
  const { left, right, row } = rowOf(source, id, height);
  const children = [openEdge(left, key, 0, 0), openEdge(right, key, 0, 1)] as const;
  const expected = encodeChildren([
    { ...left, row: null },
    { ...right, row: null },
  ]);
  if (Buffer.compare(row, expected) !== 0) throw damaged(id);
  return { left, right, children };
}

function rowOf(source: TrieNodeSource, id: number, height: number) {
  const row = source.node(id);
  if (row === undefined) {
    throw new StorageError("STORAGE_TRIE_NODE_MISSING", `trie node ${id} is missing`, {
      meta: { id },
    });
  }
  if (row[0] !== KIND_CHILDREN) throw damaged(id);
  const left = readEdge(row, 1, height - 1, id);
  return { row, left, right: readEdge(row, left.end, height - 1, id) };
}

function requireForm(source: TrieNodeSource, id: number, expected: Uint8Array): void {
  const row = source.node(id);
  if (row === undefined || Buffer.compare(row, expected) !== 0) throw damaged(id);
}

function keyOf({ key, keyAt }: BinaryNode): Felt {
  return readFelt(new DataView(key.buffer, key.byteOffset + keyAt, FELT_BYTES), 0);
}
