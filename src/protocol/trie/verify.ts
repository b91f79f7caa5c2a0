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

/** Rows verified per batch; memory holds some hundred rows per level. */
const BATCH_ROWS = 256;

/** Range and callbacks of a verification. */
export interface TrieVerification {
  readonly source: TrieNodeSource;
  readonly root: TrieRoot;
  readonly height: number;
  readonly hash: TrieHash;
  /** Rows with ids up to this one count as verified; only rows that newer ones refer to are reported. */
  readonly knownUpTo: number;
  /** Called for each leaf of a verified row; its value may be unchanged. */
  readonly onLeaf?: (key: Felt, value: Felt) => void;
  /** Called for each row that counts as verified and that a newer row refers to. */
  readonly onKnown?: (id: number) => void;
}

/**
 * Verifies rows of a trie: each is readable, has its canonical form, and its hash matches its contents and
 * the rows below.
 *
 * Cost: two to seven hashes per row, in batches. Yields between batches, where the caller may stop.
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

/** Recomputes nodes from their rows, and compares. */
class RowVerifier {
  readonly #source: TrieNodeSource;
  readonly #rounds: HashRounds;

  constructor(source: TrieNodeSource, hash: TrieHash) {
    this.#source = source;
    // Starts without cached hashes, so that none is trusted.
    this.#rounds = new HashRounds(hash, new NodeHashes(0));
  }

  /** Returns the edge of a root, verified against the hash of `top`. */
  rootEdge(top: BinaryNode, row: RowEdge): Edge {
    const edge = this.#edge(top, row, -1);
    this.#rounds.run();
    const found = new Uint8Array(FELT_BYTES);
    copyEdgeHash(found, 0, edge);
    this.#require(top, found, 0, encodeRootEdge(edge, top.id));
    return edge;
  }

  /** Returns the verified nodes with their children. */
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
 * Returns rows of a trie that are not part of a newer one.
 *
 * @param isKept - whether a row, with all rows below it, is part of the newer trie
 * @param limit - stops once more than this many are found
 * @throws {StorageError} when a row is missing or damaged
 */
export function replacedRows(
  source: TrieNodeSource,
  root: TrieRoot,
  height: number,
  isKept: (id: number) => boolean,
  limit: number,
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
  for (let top = stack.pop(); top !== undefined && replaced.length <= limit; top = stack.pop()) {
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
