/**
 * Nodes of a binary Patricia trie in memory.
 *
 * Heights count from the leaves: a node of height h covers 2^h keys. A "bottom" is a leaf or a node
 * with two children; a "link" is what stands above it: nothing, or one edge when the parent is more
 * than one level up.
 */

/** A leaf (height 0) or a node with two children. */
export class Bottom {
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
  readonly children: readonly [Link, Link] | null;

  constructor(
    height: number,
    key: Uint8Array,
    keyAt: number,
    hash: Uint8Array,
    hashAt: number,
    id = 0,
    rank = 0,
    children: readonly [Link, Link] | null = null,
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

/** A bottom as seen from `topHeight`. */
export interface Link {
  readonly topHeight: number;
  /** Height of the bottom. */
  readonly height: number;
  /** Hash of the edge, or the bottom's hash without one; see {@link Bottom.hash}. */
  hash: Uint8Array;
  hashAt: number;
  readonly rank: number;
  /** The bottom of a new link. Links of rows are opened on demand, by `openLink`. */
  bottom: Bottom | null;
  /** Where a link of a row stands in it; an unchanged link is copied from there. */
  readonly row: Uint8Array | null;
  readonly start: number;
  readonly end: number;
}
