import {
  bytesFromFelt,
  type Felt,
  FELT_BYTES,
  feltFromBytes,
  readFelt,
} from "#base/primitives/index.ts";
import { equalFelts } from "./bits.ts";
import type { TrieHash } from "./hash-function.ts";
import { copyEdgeHash, HashRounds } from "./hashing.ts";
import { BinaryNode, type Edge, type RowEdge } from "./node.ts";
import { NodeHashes } from "./node-hashes.ts";
import { loadEdges, loadRootEdge, loadRow, openEdge } from "./open.ts";
import { resolveHash } from "./resolve.ts";
import { damaged, encodeNode, encodeRootEdge } from "./row.ts";
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

/**
 * Verifies rows of a trie: each is read, has the form that it was written in, and its hashes are those
 * of what it holds and of the rows below.
 *
 * Cost: two to seven hashes per row, in batches. It may be left between batches: it yields then.
 *
 * @returns the number of rows above `knownUpTo`
 * @throws {StorageError} when a row is missing or damaged, with its id in `meta`
 */
export function* verifyTrie(walk: TrieVerification): Generator<void, number> {
  const { source, root, height, hash, knownUpTo } = walk;
  const rows = new RowVerifier(source, hash);
  const stack: BinaryNode[] = [];
  let count = 0;
  const follow = (id: number, edges: readonly Edge[]): void => {
    if (id <= knownUpTo) {
      walk.onKnown?.(id);
      return;
    }
    count++;
    for (const { child } of edges) {
      if (child.height > 0) stack.push(child);
      else walk.onLeaf?.(keyOf(child), feltAt(child.hash, child.hashAt));
    }
  };
  const top = new BinaryNode(height, new Uint8Array(FELT_BYTES), 0, root.id, 0);
  top.hash = bytesFromFelt(root.hash);
  const edge = loadRootEdge(source, root, height);
  if (edge === null) stack.push(top);
  else follow(root.id, [rows.rootEdge(top, edge)]);
  while (stack.length > 0) {
    for (const { id, children } of rows.nodes(stack.splice(-BATCH_ROWS))) {
      follow(id, children ?? []);
    }
    yield;
  }
  return count;
}

/** Computes nodes again out of their rows, and compares. */
class RowVerifier {
  readonly #source: TrieNodeSource;
  readonly #rounds: HashRounds;

  constructor(source: TrieNodeSource, hash: TrieHash) {
    this.#source = source;
    // Nothing is believed that was computed before.
    this.#rounds = new HashRounds(hash, new NodeHashes(0));
  }

  /** The edge of a root whose hash is that of `top`. */
  rootEdge(top: BinaryNode, row: RowEdge): Edge {
    const edge = this.#edge(top, row, -1);
    this.#rounds.run();
    const found = new Uint8Array(FELT_BYTES);
    copyEdgeHash(found, 0, edge);
    this.#require(top, found, 0, encodeRootEdge(edge, top.id));
    return edge;
  }

  /** The same nodes with their children. */
  nodes(nodes: readonly BinaryNode[]): BinaryNode[] {
    const computed = nodes.map((node) => {
      const [left, right] = loadEdges(this.#source, node.id, node.height);
      const children = [this.#edge(node, left, 0), this.#edge(node, right, 1)] as const;
      const again = this.#rounds.node(node.height, children, node);
      again.id = node.id;
      return again;
    });
    this.#rounds.run();
    for (const [i, again] of computed.entries()) {
      const node = nodes[i] as BinaryNode;
      this.#require(node, again.hash, again.hashAt, encodeNode(again));
    }
    return computed;
  }

  #edge(node: BinaryNode, row: RowEdge, side: number): Edge {
    const child = openEdge(row, node.key, node.keyAt, side);
    resolveHash(this.#source, child, this.#rounds);
    return this.#rounds.edge(child, row.topHeight);
  }

  #require(node: BinaryNode, found: Uint8Array, foundAt: number, row: Uint8Array): void {
    const hasHash = equalFelts(found, foundAt, node.hash, node.hashAt);
    const hasForm = Buffer.compare(row, loadRow(this.#source, node.id)) === 0;
    if (!hasHash || !hasForm) throw damaged(node.id);
  }
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
  const follow = ({ id, height: below }: RowEdge): void => {
    if (below > 0) stack.push({ id, height: below });
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
    const [left, right] = loadEdges(source, top.id, top.height);
    replaced.push(top.id);
    follow(left);
    follow(right);
  }
  return replaced;
}

function keyOf({ key, keyAt }: BinaryNode): Felt {
  return readFelt(new DataView(key.buffer, key.byteOffset + keyAt, FELT_BYTES), 0);
}

function feltAt(bytes: Uint8Array, at: number): Felt {
  return feltFromBytes(bytes.subarray(at, at + FELT_BYTES));
}
