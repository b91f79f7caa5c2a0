import type { Felt } from "#base/primitives/index.ts";
import type { BlockCommitments } from "../block.ts";

/** What was verified of a block or a class, by the names that logs and metrics have for it. */
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

/** The field of a block or class that is not what it must be. */
export type MismatchField =
  | keyof BlockCommitments
  | "hash"
  | "contractAddress"
  | "receipts"
  | "transactionHash"
  | "signature"
  | "classHash"
  | "compiledClassHash";

/** A value that is not what the rest of the block says that it must be. */
export interface Mismatch {
  readonly check: Verification;
  readonly field: MismatchField;
  /** Place of the transaction in its block, from 0; `null`: it is about none. */
  readonly index: number | null;
  /** What was computed, or what a class was declared with. */
  readonly expected: Felt | number;
  /** What came instead; `undefined`: nothing did. */
  readonly found: Felt | number | undefined;
}

/** The mismatch of a field, or `undefined` where both values are the same. */
export function mismatchOf(
  check: Verification,
  field: MismatchField,
  expected: Felt | number,
  found: Felt | number | undefined,
  index: number | null = null,
): Mismatch | undefined {
  return expected === found ? undefined : { check, field, index, expected, found };
}
