import type { Felt } from "#base/primitives/index.ts";
import type { NodeHashes } from "./node-hashes.ts";

/** Kind of a state trie: the two global ones and a storage trie per contract. */
export type TrieKind = "contracts" | "classes" | "storage";

/** Identifies a trie; `contractAddress` is 0 for the global tries. */
export interface TrieName {
  readonly kind: TrieKind;
  readonly contractAddress: Felt;
}

/** Root of a trie: the row of its topmost node and the node's hash. */
export interface TrieRoot {
  readonly id: number;
  readonly hash: Felt;
}

/**
 * Rows of trie nodes by id. A row never changes, and a reader may cache it by id until blocks are reverted.
 * Its bytes are opaque to the store; `row.ts` documents their format.
 */
export interface TrieNodeSource {
  /** Cached hashes of nodes by id, which save reading rows; valid as long as rows may be cached. */
  readonly hashes: NodeHashes;
  /** Returns the row's bytes, or `undefined` when it does not exist (pruned or damaged). */
  node(id: number): Uint8Array | undefined;
}

/** Tries after one block. */
export interface TrieReader extends TrieNodeSource {
  /** Returns the root of a trie; `undefined` for an empty trie. */
  root(name: TrieName): TrieRoot | undefined;
}

/**
 * The newest tries, to which a block can be added.
 *
 * Ids are positive, below 2^48 and assigned in ascending order over all tries. The rows of blocks above N are
 * exactly those with an id above the mark stored with block N.
 */
export interface TrieStore extends TrieReader {
  /**
   * Returns the id of the next new row: one above the newest block's {@link TrieChanges.lastNodeId}, at least
   * 1.
   */
  nextNodeId(): number;
}

/** A row to insert. */
export interface AddedNode {
  readonly id: number;
  readonly bytes: Uint8Array;
  /** Hash of its node, to be cached once the row is stored; `null` for a root that is an edge. */
  readonly hash: NodeHash | null;
}

/** Hash of a node: 32 bytes at an offset of `bytes`. */
export interface NodeHash {
  readonly bytes: Uint8Array;
  readonly at: number;
  /** Number of hashes to compute it from rows; 0 if its own row contains it. */
  readonly cost: number;
}

/** Trie that a block changed, with its new `root`; `root` is `null` when the trie became empty. */
export interface ChangedRoot extends TrieName {
  readonly root: TrieRoot | null;
}

/**
 * Changes of a block in the trie tables.
 *
 * To commit the block: insert `added`, store `removed` with the block (these rows serve only older blocks and
 * may be deleted when those are pruned), store each changed root under (kind, contract address, block), and
 * store `lastNodeId` as the block's mark.
 *
 * To revert the block: delete rows with an id above the previous block's mark, its `removed` list and its
 * roots.
 */
export interface TrieChanges {
  /** New rows with consecutive ascending ids, children before parents. */
  readonly added: readonly AddedNode[];
  /** Ids of rows that the newest tries no longer use; unique, unordered. */
  readonly removed: readonly number[];
  readonly roots: readonly ChangedRoot[];
  /**
   * Highest id that was ever assigned up to this block, whether or not its row still exists. Equals the
   * previous block's value when nothing was added.
   */
  readonly lastNodeId: number;
}
