/** Row of `block` as stored; only numbers are decoded. */
export interface BlockRow {
  readonly hash: bigint;
  readonly header: Uint8Array;
  readonly signature: { readonly r: bigint; readonly s: bigint };
  readonly inputs: Uint8Array;
  readonly lastNodeId: number;
}

/** Row of `transaction_chunk`: encoded transactions and receipts. */
export interface ChunkRow {
  readonly transactions: readonly Uint8Array[];
  readonly receipts: readonly Uint8Array[];
}

/** Row of `class`, decompressed. */
export interface ClassRow {
  readonly declaredBlock: number;
  /** Output of `encodeContractClass`. */
  readonly definition: Uint8Array;
  readonly casmJson: string | null;
  /** Whether the stored digest matches the compiled code. */
  readonly isCasmWhole: boolean;
  /** Same as returned by `ClassReader`; zeros for Cairo 0 classes. */
  readonly sierraVersion: readonly [number, number, number];
  readonly sierraProgramLength: number;
  readonly abiLength: number;
}

/** Row of `l1_message`. */
export interface L1MessageRow {
  readonly nonce: bigint;
  readonly position: number;
  readonly transactionHash: bigint;
  readonly l1TransactionHash: bigint | null;
}

/** Row of `trie_root`. */
export interface TrieRootRow {
  /** 0 if the trie became empty. */
  readonly nodeId: number;
  readonly hash: bigint;
}

/** Row counts of a chain's tables; rows of pruned history are not counted. */
export interface RowCounts {
  readonly block: number;
  readonly block_state_diff: number;
  readonly transaction_chunk: number;
  readonly transaction_index: number;
  readonly contract_storage: number;
  readonly contract_nonce: number;
  readonly contract_class: number;
  readonly compiled_class_hash: number;
  readonly class: number;
  readonly l1_message: number;
}

/** Number of nonzero values in the state after a block, by table; 0 counts as not set. */
export interface SetValueCounts {
  readonly contract_storage: number;
  readonly contract_nonce: number;
  readonly contract_class: number;
  readonly compiled_class_hash: number;
}

/** Range of blocks, state and tries that a chain keeps. */
export interface ChainMarks {
  /** -1 without blocks. */
  readonly latest: number;
  /** First stored block. */
  readonly oldest: number;
  readonly oldestState: number;
  readonly oldestTrie: number;
  /** Progress of pruning state versions: a completed block, and completed entries of the next one. */
  readonly prunedState: readonly [block: number, entries: number];
}
