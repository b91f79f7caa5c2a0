const NO_BYTES = new Uint8Array();

/** Value of `rank` for a stored node whose hash has not been read or computed yet. */
export const UNRESOLVED = -1;

/**
 * Nodes of a binary Patricia trie in memory.
 *
 * Heights count from the leaves: a node of height h covers 2^h keys. Binary nodes and leaves are objects; an
 * edge connects two of them. It has length 0, and no separate hash, when the child is directly below its
 * parent.
 */

/** Node with two children, or a leaf (height 0). */
export class BinaryNode {
  readonly height: number;
  /** A key whose bits from `height` upwards lead here; the lower bits are meaningless. */
  readonly key: Uint8Array;
  readonly keyAt: number;
  /** Value of a leaf, hash of a node; see {@link rank}. */
  hash: Uint8Array = NO_BYTES;
  hashAt = 0;
  /**
   * Rounds of hashing until the hash is known: 0 if it is, {@link UNRESOLVED} for a stored node whose row was
   * not read.
   */
  rank: number;
  /** Row id of a stored node; 0 for leaves and for nodes without a row. */
  id: number;
  /** Children of a new node, or of one whose hash is recomputed. */
  children: readonly [Edge, Edge] | null = null;
  /** Number of hashes to compute this one from rows; 0 if its row contains it, and for leaves. */
  cost = 0;

  constructor(height: number, key: Uint8Array, keyAt: number, id: number, rank: number) {
    this.height = height;
    this.key = key;
    this.keyAt = keyAt;
    this.id = id;
    this.rank = rank;
  }
}

/** Creates a leaf with its value. */
export function leafNode(
  key: Uint8Array,
  keyAt: number,
  value: Uint8Array,
  valueAt: number,
): BinaryNode {
  const leaf = new BinaryNode(0, key, keyAt, 0, 0);
  leaf.hash = value;
  leaf.hashAt = valueAt;
  return leaf;
}

/** Path from `topHeight`, one below the parent, down to a child whose hash is known or scheduled. */
export interface Edge {
  readonly topHeight: number;
  readonly child: BinaryNode;
  /** Hash of the edge node, or the child's for length 0; see {@link BinaryNode.hash}. */
  hash: Uint8Array;
  hashAt: number;
  readonly rank: number;
}

/** Edge as encoded in a row; `openEdge` creates its child on demand. */
export interface RowEdge {
  readonly topHeight: number;
  readonly height: number;
  readonly row: Uint8Array;
  /** Offset of the path bits; they take no bytes for length 0. */
  readonly pathAt: number;
  /** Offset of a leaf's value, after its length byte. */
  readonly valueAt: number;
  /** Row id of the child; 0 for a leaf. */
  readonly id: number;
  /** Offset after the edge. */
  readonly end: number;
  child: BinaryNode | null;
}

/**
 * Number of hash computations that an edge's hash takes from stored rows: its child's, plus one for
 * a path.
 */
export function edgeCost({ topHeight, child }: Edge): number {
  return topHeight > child.height ? child.cost + 1 : child.cost;
}
