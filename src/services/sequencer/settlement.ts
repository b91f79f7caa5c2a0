import type { ExecutorToAdmission, RejectedTransaction } from "#services/admission/index.ts";
import type { BatchResult } from "./block-producer.ts";

type Settled = Extract<ExecutorToAdmission, { kind: "settled" }>;

/** Outcomes that a delta does not give. All transactions of a delta are `included` by default. */
export type Settlement = Partial<Pick<Settled, "included" | "rejected" | "requeued">>;

/** Returns the outcomes of a batch's transactions that are not in its delta. */
export function settlementOf({ rejected, requeued }: BatchResult): Settlement {
  return { rejected: rejected.map(rejectedTransaction), requeued };
}

function rejectedTransaction({
  hash,
  error,
}: BatchResult["rejected"][number]): RejectedTransaction {
  return { hash, code: error.code, reason: error.message };
}
