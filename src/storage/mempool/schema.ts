import type { Generated } from "kysely";
import type { BytesColumn, IntegerColumn, UintColumn } from "../schema/columns.ts";
import type { MetaTable } from "../schema/meta.ts";

/** Received transactions. */
export interface MempoolTransactionTable {
  /** Order of arrival. */
  sequence: Generated<bigint>;
  hash: UintColumn;
  /** Unix milliseconds. */
  received_at_ms: IntegerColumn;
  bytes: BytesColumn;
}

/** Tables of the mempool's database. */
export interface MempoolSchema {
  meta: MetaTable;
  mempool_transaction: MempoolTransactionTable;
}
