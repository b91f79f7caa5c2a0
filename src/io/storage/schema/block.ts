import type { BytesColumn, IntegerColumn, UintColumn } from "./columns.ts";

/** Accepted blocks: the small values that are read often. */
export interface BlockTable {
  number: IntegerColumn;
  hash: UintColumn;
  /** Format: `encodeHeader`. */
  header: BytesColumn;
  signature_r: UintColumn;
  signature_s: UintColumn;
  /** Epoch of the sequencer that produced the block. */
  epoch: IntegerColumn;
  /** Format: `encodeBlockInputs`. */
  inputs: BytesColumn;
  /** Greatest trie node id after the block; higher ids belong to later blocks. */
  last_node_id: IntegerColumn;
}

/** State diffs of blocks; also the list of versioned rows that a block wrote. */
export interface BlockStateDiffTable {
  block: IntegerColumn;
  /** Format: `encodeStateDiff`, zstd. */
  diff: BytesColumn;
}
