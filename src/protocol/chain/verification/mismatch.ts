import type { Felt } from "#base/primitives/index.ts";
import type { BlockCommitments } from "../block.ts";

/** Name of a verification of a block or class, for logs and metrics. */
export type Verification =
  | "transaction_hash"
  | "receipt"
  | "transaction_count"
  | "transaction_commitment"
  | "event_count"
  | "event_commitment"
  | "receipt_commitment"
  | "state_diff_length"
  | "state_diff_commitment"
  | "block_hash"
  | "signature"
  | "class_hash"
  | "compiled_class_hash";

/** Field of a block or class that can mismatch. */
export type MismatchField =
  | keyof BlockCommitments
  | "hash"
  | "contractAddress"
  | "receipts"
  | "transactionHash"
  | "signature"
  | "classHash"
  | "compiledClassHash";

/** Value that contradicts the rest of the block. */
export interface Mismatch {
  readonly check: Verification;
  readonly field: MismatchField;
  /** Index of the transaction in its block, from 0; `null` when not about a transaction. */
  readonly index: number | null;
  /** Computed value, or the hash that a class was declared with. */
  readonly expected: Felt | number;
  /** Received value; `undefined` when missing. */
  readonly found: Felt | number | undefined;
}

/** Returns the mismatch of a field, or `undefined` if the values are equal. */
export function mismatchOf(
  check: Verification,
  field: MismatchField,
  expected: Felt | number,
  found: Felt | number | undefined,
  index: number | null = null,
): Mismatch | undefined {
  return expected === found ? undefined : { check, field, index, expected, found };
}
