import type { BytesColumn, IntegerColumn } from "./columns.ts";

/** Transactions with their receipts, some dozens of consecutive ones per row. */
export interface TransactionChunkTable {
  /** `block * 2^13 + chunk`, see `transactions/chunk.ts`. */
  id: IntegerColumn;
  /** Format: `transactions/chunk.ts`. */
  items: BytesColumn;
}

/** Location of a transaction by its hash. */
export interface TransactionIndexTable {
  /** Low 48 bits of the hash. Several rows may share them, so readers compare the whole hash. */
  prefix: IntegerColumn;
  /** `block * 2^18 + index`. */
  location: IntegerColumn;
}
