import type { Generated } from "kysely";
import type { BytesColumn, IntegerColumn, UintColumn } from "../schema/columns.ts";
import type { MetaTable } from "../schema/meta.ts";
import type { RejectionCause } from "./types.ts";

/** Table row: a received transaction that is in no block yet. */
export interface MempoolTransactionTable {
  /** Order of arrival. */
  sequence: Generated<bigint>;
  hash: UintColumn;
  /** Unix milliseconds. */
  received_at_ms: IntegerColumn;
  bytes: BytesColumn;
  /**
   * Number of consecutive process crashes while this transaction was executed; above 0 it is in quarantine.
   */
  suspect: Generated<bigint>;
  contract_class: BytesColumn | null;
  casm_json: string | null;
}

/** Table row: a received transaction that will not be included in a block, and why. */
export interface MempoolRejectionTable {
  hash: UintColumn;
  /** Unix milliseconds. */
  rejected_at_ms: IntegerColumn;
  cause: RejectionCause;
  reason: string;
}

/**
 * Table row: hash of a received transaction that was accepted with any signature; exists only on a
 * development chain.
 */
export interface MempoolImpersonatedTable {
  hash: UintColumn;
}

/** Table row: an account whose next transaction is rejected until a time. */
export interface MempoolPauseTable {
  sender: UintColumn;
  /** Number of its transactions that were dropped after their execution. */
  drops: IntegerColumn;
  /** Unix milliseconds. */
  ends_at_ms: IntegerColumn;
}

/** Table row: a message from L1 that caused, or may have caused, a crash. */
export interface MempoolSuspectMessageTable {
  /** Hash of the L1 handler transaction. */
  hash: UintColumn;
  crashes: IntegerColumn;
  /** Why it is not executed again; `null` if it is. */
  reason: string | null;
}

/** Tables of the mempool database. */
export interface MempoolSchema {
  meta: MetaTable;
  mempool_transaction: MempoolTransactionTable;
  mempool_impersonated: MempoolImpersonatedTable;
  mempool_rejection: MempoolRejectionTable;
  mempool_pause: MempoolPauseTable;
  mempool_suspect_message: MempoolSuspectMessageTable;
}
