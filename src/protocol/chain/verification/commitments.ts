import type { BlockCommitments } from "../block.ts";
import { type Mismatch, mismatchOf, type Verification } from "./mismatch.ts";

/** Each field with the name of its verification; counts first, for they say more of what is amiss. */
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
 * Compares what was computed of a block's contents with what is told of them: the first field that is
 * another one. What is not told is not compared.
 */
export function commitmentMismatch(
  computed: BlockCommitments,
  told: { readonly [Name in keyof BlockCommitments]?: BlockCommitments[Name] | undefined },
): Mismatch | undefined {
  for (const [field, check] of FIELDS) {
    const found = told[field];
    if (found !== undefined && found !== computed[field]) {
      return mismatchOf(check, field, computed[field], found);
    }
  }
  return undefined;
}
