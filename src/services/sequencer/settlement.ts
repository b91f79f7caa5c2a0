import type { PendingDelta } from "#engine/state/index.ts";
import type {
  DeltaMessage,
  ExecutorToAdmission,
  RejectedTransaction,
} from "#services/admission/index.ts";
import type { BatchResult } from "./batch-result.ts";

type Settled = Extract<ExecutorToAdmission, { kind: "settled" }>;

/**
 * Outcomes of transactions for admission's report. `included` replaces the default, which is all transactions of
 * the delta; the other lists are empty by default.
 */
export type Settlement = Partial<Pick<Settled, "included" | "rejected" | "requeued" | "postponed">>;

/** Creates admission's report on a delta, and on transactions that are not in it. */
export function settledMessage(
  delta: PendingDelta | null,
  message: DeltaMessage | null,
  {
    included = delta?.transactions.map(({ hash }) => hash) ?? [],
    rejected = [],
    requeued = [],
    postponed,
  }: Settlement,
): Settled {
  const outcomes = { delta: message, included, rejected, requeued };
  return { kind: "settled", ...outcomes, ...(postponed && { postponed }) };
}

/** Returns the outcomes of a batch's transactions that are not in its delta. */
export function settlementOf({ rejected, requeued, postponed }: BatchResult): Settlement {
  return {
    rejected: rejected.map(rejectedTransaction),
    requeued,
    ...(postponed.length === 0 ? {} : { postponed }),
  };
}

function rejectedTransaction({
  hash,
  error,
}: BatchResult["rejected"][number]): RejectedTransaction {
  return { hash, code: error.code, reason: error.message };
}
