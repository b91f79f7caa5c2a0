import type { BytesColumn, IntegerColumn, UintColumn } from "../schema/columns.ts";
import type { MetaTable } from "../schema/meta.ts";

/** Addresses, class hashes: rows of other tables name them by `id`. */
export interface FeltTable {
  /** Ascending in the order in which blocks use a value first. */
  id: IntegerColumn;
  value: UintColumn;
}

/** Indexed blocks. */
export interface IndexedBlockTable {
  number: IntegerColumn;
  /** Unix seconds. */
  timestamp: IntegerColumn;
  transactions: IntegerColumn;
  l2_gas: IntegerColumn;
  /** Highest id of {@link FeltTable} after the block; 0 if none. */
  last_felt: IntegerColumn;
  hash: UintColumn;
  /** Ids in the first column of the rows of the block. Format: `encodeIds` in `ids.ts`. */
  ids: BytesColumn;
}

/** Transactions by sender. */
export interface SentTable {
  sender: IntegerColumn;
  block: IntegerColumn;
  position: IntegerColumn;
}

/** Transactions by a contract that they touch, other than their sender. */
export interface TouchedTable {
  contract: IntegerColumn;
  block: IntegerColumn;
  position: IntegerColumn;
}

/** Transfers by holder; a transfer has a row for each of its two holders. */
export interface TransferTable {
  holder: IntegerColumn;
  block: IntegerColumn;
  position: IntegerColumn;
  event: IntegerColumn;
  token: IntegerColumn;
}

/** Contracts by class. */
export interface ClassContractTable {
  class: IntegerColumn;
  block: IntegerColumn;
  contract: IntegerColumn;
  /** 1 if the class replaced another one. */
  replaced: IntegerColumn;
}

/** Declared classes. */
export interface DeclaredTable {
  block: IntegerColumn;
  /** 0 without a transaction, otherwise its position in the block plus 1. */
  place: IntegerColumn;
  class: IntegerColumn;
}

/** Tables of the explorer's database. */
export interface ExplorerSchema {
  meta: MetaTable;
  felt: FeltTable;
  indexed_block: IndexedBlockTable;
  sent: SentTable;
  touched: TouchedTable;
  transfer: TransferTable;
  class_contract: ClassContractTable;
  declared: DeclaredTable;
}
