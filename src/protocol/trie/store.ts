import type { Felt } from "#base/primitives/index.ts";
import type { NodeHashes } from "./node-hashes.ts";

/** The tries of the state: the two global ones and one of storage per contract. */
export type TrieKind = "contracts" | "classes" | "storage";

/** Names a trie; `contractAddress` is 0 for the global tries. */
export interface TrieName {
  readonly kind: TrieKind;
  readonly contractAddress: Felt;
}

/** Where a trie starts: the row of its topmost node and the hash that this node commits to. */
export interface TrieRoot {
  readonly id: number;
  readonly hash: Felt;
}

/**
 * Rows of trie nodes by id. A row never changes: `bytes` are opaque to the store (their form is
 * documented in `row.ts`), and a reader may cache them by id until blocks are reverted.
 */
export interface TrieNodeSource {
  /** Hashes of nodes by id, whose rows need not be looked at for them; as long as rows may be cached. */
  readonly hashes: NodeHashes;
  /** The row's bytes, or `undefined` when there is no such row (pruned or damaged). */
  node(id: number): Uint8Array | undefined;
}

/** Tries as they stand after one block. */
export interface TrieReader extends TrieNodeSource {
  /** The root of a trie; `undefined` for an empty trie. */
  root(name: TrieName): TrieRoot | undefined;
}

/**
 * The newest tries, as needed to add a block to them.
 *
 * Ids are positive, below 2^48 and handed out in ascending order over all tries, so that the rows
 * of blocks above N are exactly those with an id above the mark that was stored with block N.
 */
export interface TrieStore extends TrieReader {
  /** The id that the next new row gets: one above the greatest id of any stored row, at least 1. */
  nextNodeId(): number;
}

/** A row to insert. */
export interface AddedNode {
  readonly id: number;
  readonly bytes: Uint8Array;
  /** Hash of its node, to be kept once the row is stored; `null` for a root that is an edge. */
  readonly hash: NodeHash | null;
}

/** Hash of a node: 32 bytes in others. */
export interface NodeHash {
  readonly bytes: Uint8Array;
  readonly at: number;
  /** Hashes that it takes to compute it out of rows; 0 when its own row holds it. */
  readonly cost: number;
}

/** The new root of a trie that changed; `null` when the trie became empty. */
export interface ChangedRoot extends TrieName {
  readonly root: TrieRoot | null;
}

/**
 * What a block changes in the trie tables. To commit it: insert `added`, keep `removed` beside the
 * block (these rows serve only older blocks and may be deleted when those are pruned), store each
 * changed root under (kind, contract address, block), and store `lastNodeId` as the block's mark.
 * To revert the block: delete rows with an id above the previous block's mark, its `removed` list
 * and its roots.
 */
export interface TrieChanges {
  /** Rows with consecutive ids in ascending order, children before parents. */
  readonly added: readonly AddedNode[];
  /** Ids of rows that the newest tries do not use any more; unique, unordered. */
  readonly removed: readonly number[];
  readonly roots: readonly ChangedRoot[];
  /** Greatest id in use after the block; the previous mark when nothing was added. */
  readonly lastNodeId: number;
}
