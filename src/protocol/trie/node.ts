const NO_BYTES = new Uint8Array();

/** Rank of a stored node whose hash is not known yet. */
export const UNRESOLVED = -1;

/**
 * Nodes of a binary Patricia trie in memory.
 *
 * Heights count from the leaves: a node of height h covers 2^h keys. Binary nodes and leaves are
 * objects of their own; an edge is what lies between two of them. It has a length of 0, and no hash
 * of its own, where the child stands directly below its parent.
 */

/** A node with two children, or a leaf (height 0). */
export class BinaryNode {
  readonly height: number;
  /** A key whose bits from `height` on lead here; the lower bits mean nothing. */
  readonly key: Uint8Array;
  readonly keyAt: number;
  /** Value of a leaf, hash of a node; see {@link rank}. */
  hash: Uint8Array = NO_BYTES;
  hashAt = 0;
  /**
   * Rounds of hashing until the hash is known: 0 when it is, {@link UNRESOLVED} for a stored node
   * whose row nobody looked at.
   */
  rank: number;
  /** Row of a stored node; 0 for leaves and for nodes without a row yet. */
  id: number;
  /** Children of a new node, or of one whose hash is computed again. */
  children: readonly [Edge, Edge] | null = null;
  /** Hashes that it takes to compute this one from rows; 0 for one that its row holds, and for leaves. */
  cost = 0;

  constructor(height: number, key: Uint8Array, keyAt: number, id: number, rank: number) {
    this.height = height;
    this.key = key;
    this.keyAt = keyAt;
    this.id = id;
    this.rank = rank;
  }
}

/** A leaf with its value. */
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

/** The way from `topHeight`, one below the parent, down to a child whose hash is known or scheduled. */
export interface Edge {
  readonly topHeight: number;
  readonly child: BinaryNode;
  /** Hash of the edge node, or the child's for a length of 0; see {@link BinaryNode.hash}. */
  hash: Uint8Array;
  hashAt: number;
  readonly rank: number;
}

/** An edge as it stands in a row; its child is opened on demand, by `openEdge`. */
export interface RowEdge {
  readonly topHeight: number;
  /** Height of the child. */
  readonly height: number;
  readonly row: Uint8Array;
  /** Where the bits of its path stand; they have no bytes where its length is 0. */
  readonly pathAt: number;
  /** Where a leaf's value stands, behind its length. */
  readonly valueAt: number;
  /** Row of the child; 0 for a leaf. */
  readonly id: number;
  /** Where what stands behind it begins. */
  readonly end: number;
  child: BinaryNode | null;
}

/** Hashes that an edge takes beside its child's. */
export function edgeCost({ topHeight, child }: Edge): number {
  return topHeight > child.height ? child.cost + 1 : child.cost;
}
