import type { ExecutorToAdmission, RejectedTransaction } from "#services/admission/index.ts";
import type { BatchResult } from "./block-producer.ts";

type Settled = Extract<ExecutorToAdmission, { kind: "settled" }>;

/** What became of transactions, besides what their delta says; all of those in a delta are `included` unless told. */
export type Settlement = Partial<Pick<Settled, "included" | "rejected" | "givenBack">>;

/** What became of those of a batch that are not in its delta. */
export function settlementOf({ rejected, givenBack }: BatchResult): Settlement {
  return { rejected: rejected.map(rejectedTransaction), givenBack };
}

function rejectedTransaction({
  hash,
  error,
}: BatchResult["rejected"][number]): RejectedTransaction {
  return { hash, code: error.code, reason: error.message };
}
