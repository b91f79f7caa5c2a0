import { invariant } from "#base/errors/index.ts";
import { FELT_BYTES, FIELD_PRIME, readFelt, writeFelt } from "#base/primitives/index.ts";
import { copyFelt, writeShifted } from "./bits.ts";
import type { TrieHash } from "./hash-function.ts";
import { BinaryNode, type Edge } from "./node.ts";

/** Nodes and edges that wait for their hash in the same round. */
interface Round {
  readonly nodes: BinaryNode[];
  readonly edges: Edge[];
}

const PAIR_BYTES = 2 * FELT_BYTES;

/**
 * Pairs that are hashed in one call, as many as the kernel's window holds. A buffer for all pairs
 * of a round is garbage after it, and large enough to start the collector again and again.
 */
const PART = 4096;

const NO_BYTES = new Uint8Array();

/**
 * Collects what has to be hashed over any number of tries with the same hash function, and hashes
 * it in rounds: round r needs only hashes of earlier rounds, so that a block with thousands of
 * changed tries costs as many batches as its deepest trie has levels.
 */
export class HashRounds {
  readonly #hash: TrieHash;
  readonly #rounds: Round[] = [];

  constructor(hash: TrieHash) {
    this.#hash = hash;
  }

  /** A new node above two edges. */
  node(height: number, children: readonly [Edge, Edge], keyFrom: BinaryNode): BinaryNode {
    const rank = 1 + Math.max(children[0].rank, children[1].rank);
    const { key, keyAt } = keyFrom;
    const node = new BinaryNode(height, key, keyAt, NO_BYTES, 0, 0, rank, children);
    this.#round(rank).nodes.push(node);
    return node;
  }

  /** A new edge from `topHeight` down to `child`. */
  edge(child: BinaryNode, topHeight: number): Edge {
    const { height, hash, hashAt } = child;
    const isEdge = topHeight > height;
    const rank = child.rank + (isEdge ? 1 : 0);
    const edge = { topHeight, height, hash, hashAt, rank, child, row: null, start: 0, end: 0 };
    if (isEdge) this.#round(rank).edges.push(edge);
    return edge;
  }

  /** Fills in all hashes and forgets the work. */
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
  }

  /** Hashes what stands at `[from, to)` among the nodes and then the edges of a round. */
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
      addLength(hashes, at, edge.topHeight - edge.height);
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

function writeEdge(pairs: Uint8Array, at: number, { child, topHeight, height }: Edge): void {
  invariant(child !== null, "a new trie edge has no child");
  copyFelt(pairs, at, child.hash, child.hashAt);
  const pathAt = at + FELT_BYTES;
  pairs.fill(0, pathAt, pathAt + FELT_BYTES);
  writeShifted(pairs, pathAt, child.key, child.keyAt, topHeight, height);
}

/** Copies an edge's hash; a new one of length 0 has its child's, filled in after it was made. */
export function copyEdgeHash(target: Uint8Array, at: number, edge: Edge): void {
  const { child } = edge;
  const isBare = edge.row === null && child !== null && edge.topHeight === edge.height;
  if (isBare) copyFelt(target, at, child.hash, child.hashAt);
  else copyFelt(target, at, edge.hash, edge.hashAt);
}

/** Adds an edge's length to its hash, modulo P. */
function addLength(hashes: Uint8Array, at: number, length: number): void {
  // P starts with the byte 8: only hashes from there on can reach it.
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
