import type { BytesColumn, IntegerColumn, UintColumn } from "./columns.ts";

/** Trie nodes, up to 16 with consecutive ids per row; a node never changes. */
export interface TriePageTable {
  /** `node id / 16`. */
  id: IntegerColumn;
  /** Format: `trie/page.ts`; of each node, `row.ts` of `protocol/trie`. */
  nodes: BytesColumn;
}

/** Roots of tries by the block that changed them. */
export interface TrieRootTable {
  /** 0 contracts, 1 classes, 2 storage. */
  kind: IntegerColumn;
  /** Id of the contract of a storage trie, 0 for the global tries. */
  contract: IntegerColumn;
  block: IntegerColumn;
  /** 0 if the trie became empty. */
  node_id: IntegerColumn;
  hash: UintColumn;
}

/** Nodes that a block removed from the newest tries. */
export interface TrieRemovedTable {
  block: IntegerColumn;
  /** Ascending ids as differences, each a varint of the binary codec. */
  ids: BytesColumn;
}
