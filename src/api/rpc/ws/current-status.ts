import type { Felt } from "#base/primitives/index.ts";
import type { LiveStatus } from "./order.ts";
import type { TransactionStatusAnswer } from "../spec/version.ts";
import { findExecuted } from "../methods/shared.ts";
import { OriginMissing } from "#io/origin/index.ts";
import { requireLocation } from "../fork/locate.ts";
import type { ChainContext, MainContext } from "../context.ts";

/** Status of a transaction, as rank and as response. */
export interface CurrentStatus {
  readonly rank: LiveStatus | "ACCEPTED_ON_L1" | "REJECTED";
  readonly status: TransactionStatusAnswer;
  /** Block that contains it; absent if none does. */
  readonly blockNumber?: number;
}

/** Returns the current status of a transaction; `undefined` if it is unknown. */
export async function currentStatus(
  context: MainContext,
  hash: Felt,
): Promise<CurrentStatus | undefined> {
  const executed = executedStatus(context, hash);
  if (executed !== undefined) return executed;
  const waiting = await context.mempool.find(hash);
  if (waiting !== undefined) {
    const isCandidate = waiting.isCandidate;
    const status = { kind: "received", isCandidate } as const;
    return { rank: isCandidate ? "CANDIDATE" : "RECEIVED", status };
  }
  // It may have moved from the mempool to a block during the lookup.
  const late = executedStatus(context, hash);
  if (late !== undefined) return late;
  const reason = await context.mempool.rejectionOf(hash);
  if (reason !== undefined) return { rank: "REJECTED", status: { kind: "rejected", reason } };
  requireLocation(context, hash);
  return undefined;
}

/** Returns the status of a transaction whose block is accepted on L1; otherwise `undefined`. */
export function settledStatus(context: ChainContext, hash: Felt): CurrentStatus | undefined {
  const executed = knownStatus(context, hash);
  return executed?.rank === "ACCEPTED_ON_L1" ? executed : undefined;
}

/** As {@link executedStatus}; `undefined` also for a transaction of a fork's origin that has to be fetched. */
function knownStatus(context: ChainContext, hash: Felt): CurrentStatus | undefined {
  try {
    return executedStatus(context, hash);
  } catch (thrown) {
    if (thrown instanceof OriginMissing) return undefined;
    throw thrown;
  }
}

function executedStatus(context: ChainContext, hash: Felt): CurrentStatus | undefined {
  const found = findExecuted(context, hash);
  if (found === undefined) return undefined;
  const { finality, receipt, blockNumber } = found;
  return { rank: finality, status: { kind: "executed", finality, receipt }, blockNumber };
}
