import { invariant } from "#base/errors/index.ts";
import { FELT_BYTES, FIELD_PRIME, readFelt, writeFelt } from "#base/primitives/index.ts";
import { copyFelt, writeShifted } from "./bits.ts";
import type { TrieHash } from "./hash-function.ts";
import { BinaryNode, type Edge, edgeCost } from "./node.ts";
import type { NodeHashes } from "./node-hashes.ts";
import { MAX_COST } from "./row.ts";

/** Nodes and edges that are hashed in the same round. */
interface Round {
  readonly nodes: BinaryNode[];
  readonly edges: Edge[];
}

const PAIR_BYTES = 2 * FELT_BYTES;

/**
 * Number of pairs hashed per call, as many as the kernel's window holds. A buffer for a whole round would
 * become garbage large enough to trigger the collector repeatedly.
 */
const PART = 4096;

/**
 * Collects hashing work over any number of tries with the same hash function, and runs it in rounds. Round r
 * needs only hashes of earlier rounds, so a block with thousands of changed tries costs only as many batches
 * as its deepest trie has levels.
 */
export class HashRounds {
  readonly #hash: TrieHash;
  readonly #known: NodeHashes;
  readonly #rounds: Round[] = [];
  /** Stored nodes whose hashes were not in {@link #known}. */
  readonly #found: BinaryNode[] = [];

  /** @param known - receives hashes of stored nodes that were read or recomputed */
  constructor(hash: TrieHash, known: NodeHashes) {
    this.#hash = hash;
    this.#known = known;
  }

  /** Creates a node above two edges. */
  node(height: number, children: readonly [Edge, Edge], keyFrom: BinaryNode): BinaryNode {
    const node = new BinaryNode(height, keyFrom.key, keyFrom.keyAt, 0, 0);
    this.#schedule(node, children);
    return node;
  }

  /** Sets the hash of a stored node if it is cached. @returns whether it was */
  fill(node: BinaryNode): boolean {
    return this.#known.fill(node);
  }

  /** Schedules the hash of a stored node whose row does not contain it. */
  again(node: BinaryNode, children: readonly [Edge, Edge]): void {
    this.#schedule(node, children);
    this.#found.push(node);
  }

  /** Sets the hash of a stored node from its row. */
  found(node: BinaryNode, row: Uint8Array, at: number): void {
    node.hash = row;
    node.hashAt = at;
    node.rank = 0;
    node.cost = 0;
    this.#found.push(node);
  }

  /** Creates an edge from `topHeight` down to `child`, whose hash is known or scheduled. */
  edge(child: BinaryNode, topHeight: number): Edge {
    const { height, hash, hashAt } = child;
    invariant(child.rank >= 0, "the hash of a trie node is not resolved");
    const isEdge = topHeight > height;
    const rank = child.rank + (isEdge ? 1 : 0);
    const edge = { topHeight, child, hash, hashAt, rank };
    if (isEdge) this.#round(rank).edges.push(edge);
    return edge;
  }

  /** Computes all scheduled hashes and clears the schedule. */
  run(): void {
    const largest = Math.max(0, ...this.#rounds.map(sizeOf));
    const pairs = new Uint8Array(Math.min(largest, PART) * PAIR_BYTES);
    for (const round of this.#rounds) {
      const size = sizeOf(round);
      for (let from = 0; from < size; from += PART) {
        this.#runPart(round, from, Math.min(size, from + PART), pairs);
      }
    }
    this.#rounds.length = 0;
    for (const { id, hash, hashAt, cost } of this.#found) this.#known.set(id, hash, hashAt, cost);
    this.#found.length = 0;
  }

  #schedule(node: BinaryNode, children: readonly [Edge, Edge]): void {
    const [left, right] = children;
    const cost = 1 + edgeCost(left) + edgeCost(right);
    node.children = children;
    node.cost = cost > MAX_COST ? 0 : cost;
    node.rank = 1 + Math.max(left.rank, right.rank);
    this.#round(node.rank).nodes.push(node);
  }

  /** Hashes items `[from, to)` of a round; nodes come before edges. */
  #runPart({ nodes, edges }: Round, from: number, to: number, pairs: Uint8Array): void {
    const firstEdge = Math.min(Math.max(nodes.length, from), to);
    let at = 0;
    for (let i = from; i < firstEdge; i++, at += PAIR_BYTES) {
      writeNode(pairs, at, nodes[i] as BinaryNode);
    }
    for (let i = firstEdge; i < to; i++, at += PAIR_BYTES) {
      writeEdge(pairs, at, edges[i - nodes.length] as Edge);
    }
    const hashes = this.#hash.pairs(pairs.subarray(0, at));
    at = 0;
    for (let i = from; i < firstEdge; i++, at += FELT_BYTES) {
      const node = nodes[i] as BinaryNode;
      node.hash = hashes;
      node.hashAt = at;
    }
    for (let i = firstEdge; i < to; i++, at += FELT_BYTES) {
      const edge = edges[i - nodes.length] as Edge;
      addLength(hashes, at, edge.topHeight - edge.child.height);
      edge.hash = hashes;
      edge.hashAt = at;
    }
  }

  #round(rank: number): Round {
    while (this.#rounds.length <= rank) this.#rounds.push({ nodes: [], edges: [] });
    return this.#rounds[rank] as Round;
  }
}

function sizeOf({ nodes, edges }: Round): number {
  return nodes.length + edges.length;
}

function writeNode(pairs: Uint8Array, at: number, { children }: BinaryNode): void {
  invariant(children !== null, "a new trie node has no children");
  copyEdgeHash(pairs, at, children[0]);
  copyEdgeHash(pairs, at + FELT_BYTES, children[1]);
}

function writeEdge(pairs: Uint8Array, at: number, { child, topHeight }: Edge): void {
  copyFelt(pairs, at, child.hash, child.hashAt);
  const pathAt = at + FELT_BYTES;
  pairs.fill(0, pathAt, pathAt + FELT_BYTES);
  writeShifted(pairs, pathAt, child.key, child.keyAt, topHeight, child.height);
}

/** Copies an edge's hash; an edge of length 0 uses its child's, which is set later than the edge. */
export function copyEdgeHash(target: Uint8Array, at: number, edge: Edge): void {
  const { child } = edge;
  if (edge.topHeight === child.height) copyFelt(target, at, child.hash, child.hashAt);
  else copyFelt(target, at, edge.hash, edge.hashAt);
}

/** Adds an edge's length to its hash, modulo P. */
function addLength(hashes: Uint8Array, at: number, length: number): void {
  // P starts with byte 8, so only hashes that start with 8 or more can reach it.
  if ((hashes[at] as number) >= 8) {
    const view = new DataView(hashes.buffer, hashes.byteOffset + at, FELT_BYTES);
    writeFelt(view, 0, (readFelt(view, 0) + BigInt(length)) % FIELD_PRIME);
    return;
  }
  let carry = length;
  for (let i = at + FELT_BYTES - 1; carry > 0 && i >= at; i--) {
    const sum = (hashes[i] as number) + carry;
    hashes[i] = sum & 0xff;
    carry = sum >> 8;
  }
}
