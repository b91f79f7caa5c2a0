import type { IntegerColumn, UintColumn } from "./columns.ts";

/** Messages from L1 that blocks consumed. */
export interface L1MessageTable {
  /** Nonce assigned by the core contract. */
  nonce: UintColumn;
  block: IntegerColumn;
  /** Position of the L1 handler transaction among the block's consumed messages. */
  position: IntegerColumn;
  transaction_hash: UintColumn;
  /** `null` when unknown. */
  l1_transaction_hash: UintColumn | null;
}
