/** A row of `block` as it is stored; numbers are decoded, the rest is not. */
export interface BlockRow {
  readonly hash: bigint;
  readonly header: Uint8Array;
  readonly signature: { readonly r: bigint; readonly s: bigint };
  readonly inputs: Uint8Array;
  readonly lastNodeId: number;
}

/** A row of `transaction_chunk`: encoded transactions and receipts. */
export interface ChunkRow {
  readonly transactions: readonly Uint8Array[];
  readonly receipts: readonly Uint8Array[];
}

/** A row of `class`; what is compressed is unpacked. */
export interface ClassRow {
  readonly declaredBlock: number;
  /** `encodeContractClass`. */
  readonly definition: Uint8Array;
  readonly casmJson: string | null;
  /** Whether the digest that is stored beside the compiled code is that of its bytes. */
  readonly isCasmWhole: boolean;
  /** As `ClassReader` gives it; zeros for Cairo 0 classes. */
  readonly sierraVersion: readonly [number, number, number];
  readonly sierraProgramLength: number;
  readonly abiLength: number;
}

/** A row of `l1_message`. */
export interface L1MessageRow {
  readonly nonce: bigint;
  readonly position: number;
  readonly transactionHash: bigint;
  readonly l1TransactionHash: bigint | null;
}

/** A row of `trie_root`. */
export interface TrieRootRow {
  /** 0 when the trie became empty. */
  readonly nodeId: number;
  readonly hash: bigint;
}

/** How many rows of blocks a chain has in its tables; those of a pruned past are not counted. */
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

/** How many values are set in the state after a block, by where they stand; 0 is not set. */
export interface SetValueCounts {
  readonly contract_storage: number;
  readonly contract_nonce: number;
  readonly contract_class: number;
  readonly compiled_class_hash: number;
}

/** What of the past a chain keeps, and where it ends. */
export interface ChainMarks {
  /** -1 without blocks. */
  readonly latest: number;
  /** First block that there is. */
  readonly oldest: number;
  readonly oldestState: number;
  readonly oldestTrie: number;
  /** How far versions of the state are deleted that no kept block needs: a block, and entries behind it. */
  readonly prunedState: readonly [block: number, entries: number];
}
