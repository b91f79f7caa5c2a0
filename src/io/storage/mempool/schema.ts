import type { Generated } from "kysely";
import type { BytesColumn, IntegerColumn, UintColumn } from "../schema/columns.ts";
import type { MetaTable } from "../schema/meta.ts";
import type { RejectionCause } from "./types.ts";

/** Received transactions. */
export interface MempoolTransactionTable {
  /** Order of arrival. */
  sequence: Generated<bigint>;
  hash: UintColumn;
  /** Unix milliseconds. */
  received_at_ms: IntegerColumn;
  bytes: BytesColumn;
  /**
   * How often the process crashed, one time after the other, while it executed this; above 0 it is
   * in quarantine.
   */
  suspect: Generated<bigint>;
  /** Definition of the class that it declares. */
  contract_class: BytesColumn | null;
  /** Compiled code of that class. */
  casm_json: string | null;
}

/** Received transactions that are not going to be in a block. */
export interface MempoolRejectionTable {
  hash: UintColumn;
  /** Unix milliseconds. */
  rejected_at_ms: IntegerColumn;
  cause: RejectionCause;
  reason: string;
}

/** Received transactions that were taken with any signature; a development chain alone has some. */
export interface MempoolImpersonatedTable {
  hash: UintColumn;
}

/** Accounts whose next transaction is not taken before a time. */
export interface MempoolPauseTable {
  sender: UintColumn;
  /** How many of its transactions were dropped after their execution. */
  drops: IntegerColumn;
  /** Unix milliseconds. */
  ends_at_ms: IntegerColumn;
}

/** Messages from L1 that a crash is, or may be, blamed on. */
export interface MempoolSuspectMessageTable {
  /** Of the L1 handler transaction. */
  hash: UintColumn;
  crashes: IntegerColumn;
  /** Why it is not executed again; `null`: it is. */
  reason: string | null;
}

/** Tables of the mempool's database. */
export interface MempoolSchema {
  meta: MetaTable;
  mempool_transaction: MempoolTransactionTable;
  mempool_impersonated: MempoolImpersonatedTable;
  mempool_rejection: MempoolRejectionTable;
  mempool_pause: MempoolPauseTable;
  mempool_suspect_message: MempoolSuspectMessageTable;
}
