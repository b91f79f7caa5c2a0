import type { BytesColumn, IntegerColumn, UintColumn } from "./columns.ts";

/** Accepted blocks: the small things that are read often. */
export interface BlockTable {
  number: IntegerColumn;
  hash: UintColumn;
  /** `encodeHeader`. */
  header: BytesColumn;
  signature_r: UintColumn;
  signature_s: UintColumn;
  /** Epoch of the sequencer that made the block. */
  epoch: IntegerColumn;
  /** `encodeBlockInputs`. */
  inputs: BytesColumn;
  /** Greatest trie node id after the block; higher ids belong to later blocks. */
  last_node_id: IntegerColumn;
}

/** State diffs of blocks; also the list of the versioned rows that a block made. */
export interface BlockStateDiffTable {
  block: IntegerColumn;
  /** `encodeStateDiff`, zstd. */
  diff: BytesColumn;
}
