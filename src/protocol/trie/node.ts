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
  /** Value of a leaf, hash of a node; not set while `rank` is positive and hashing did not run. */
  hash: Uint8Array;
  hashAt: number;
  /** Rounds of hashing until the hash is known. */
  readonly rank: number;
  /** Row of a stored node; 0 for leaves and for nodes without a row yet. */
  id: number;
  /** Children of a new node; `null` for leaves and stored nodes. */
  readonly children: readonly [Edge, Edge] | null;

  constructor(
    height: number,
    key: Uint8Array,
    keyAt: number,
    hash: Uint8Array,
    hashAt: number,
    id = 0,
    rank = 0,
    children: readonly [Edge, Edge] | null = null,
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

/** The way from `topHeight`, one below the parent, down to a child. */
export interface Edge {
  readonly topHeight: number;
  /** Height of the child. */
  readonly height: number;
  /** Hash of the edge node, or the child's for a length of 0; see {@link BinaryNode.hash}. */
  hash: Uint8Array;
  hashAt: number;
  readonly rank: number;
  /** The child of a new edge. Edges of rows are opened on demand, by `openEdge`. */
  child: BinaryNode | null;
  /** Where an edge of a row stands in it; an unchanged edge is copied from there. */
  readonly row: Uint8Array | null;
  readonly start: number;
  readonly end: number;
}
