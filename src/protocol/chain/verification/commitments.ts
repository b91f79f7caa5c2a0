import type { BlockCommitments } from "../block.ts";
import { type Mismatch, mismatchOf, type Verification } from "./mismatch.ts";

/**
 * Fields with the names of their verifications; counts first, because they are more specific about the error.
 */
const FIELDS: readonly (readonly [keyof BlockCommitments, Verification])[] = [
  ["transactionCount", "transaction_count"],
  ["eventCount", "event_count"],
  ["stateDiffLength", "state_diff_length"],
  ["transactionCommitment", "transaction_commitment"],
  ["eventCommitment", "event_commitment"],
  ["receiptCommitment", "receipt_commitment"],
  ["stateDiffCommitment", "state_diff_commitment"],
];

/**
 * Compares computed commitments with reported ones and returns the first mismatch. Unreported fields are
 * skipped.
 */
export function commitmentMismatch(
  computed: BlockCommitments,
  reported: { readonly [Name in keyof BlockCommitments]?: BlockCommitments[Name] | undefined },
): Mismatch | undefined {
  for (const [field, check] of FIELDS) {
    const found = reported[field];
    if (found !== undefined && found !== computed[field]) {
      return mismatchOf(check, field, computed[field], found);
    }
  }
  return undefined;
}
