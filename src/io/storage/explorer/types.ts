import type { Felt } from "#base/primitives/index.ts";

/** Block in the explorer's index: its summary and what it adds to each list. */
export interface IndexedBlock {
  readonly number: number;
  readonly hash: Felt;
  /** Unix seconds. */
  readonly timestamp: number;
  readonly transactionCount: number;
  /** L2 gas of all its transactions. */
  readonly l2Gas: bigint;
  readonly sent: readonly SentRow[];
  readonly touched: readonly TouchedRow[];
  readonly transfers: readonly TransferRow[];
  readonly contracts: readonly ContractRow[];
  readonly declared: readonly DeclaredRow[];
}

/** A transaction and its sender. `index` is the position in the block, from 0. */
export interface SentRow {
  readonly sender: Felt;
  readonly index: number;
}

/** A transaction and a contract that it touched, other than its sender. */
export interface TouchedRow {
  readonly contract: Felt;
  readonly index: number;
}

/** A transfer and one of its two holders. */
export interface TransferRow {
  readonly holder: Felt;
  readonly token: Felt;
  /** Position of the transaction in the block, from 0. */
  readonly index: number;
  /** Position of the event in the transaction's receipt, from 0. */
  readonly event: number;
}

/** How a contract got its class. */
export type ClassChange = "deployed" | "replaced";

/** A contract that got a class in the block. */
export interface ContractRow {
  readonly classHash: Felt;
  readonly contract: Felt;
  readonly how: ClassChange;
}

/** A class that the block declares. */
export interface DeclaredRow {
  readonly classHash: Felt;
  /** Position of the transaction that declared it; `null` when the block has it without a transaction. */
  readonly index: number | null;
}

/** Number and hash of an indexed block. */
export interface IndexPosition {
  readonly number: number;
  readonly hash: Felt;
}

/** Place of a transaction in the chain. */
export interface TransactionPlace {
  readonly block: number;
  readonly index: number;
}

/** Place of an event in the chain. */
export interface EventPlace extends TransactionPlace {
  readonly event: number;
}

/** Transfer that a list of the index has found. */
export interface FoundTransfer extends EventPlace {
  readonly token: Felt;
}

/**
 * Position of an entry in a list of the explorer's index, to continue from. `order` distinguishes the entries
 * of one block and means nothing beyond this list.
 */
export interface RowPlace {
  readonly block: number;
  readonly order: number;
}

/** Contract that a list of the index has found. */
export interface FoundContract extends RowPlace {
  readonly contract: Felt;
  readonly how: ClassChange;
}

/** Declared class that a list of the index has found. */
export interface FoundClass {
  readonly block: number;
  /** As {@link DeclaredRow.index}. */
  readonly index: number | null;
  readonly classHash: Felt;
}
