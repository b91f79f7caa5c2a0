import type { Felt } from "#base/primitives/index.ts";
import type { LiveStatus } from "./order.ts";
import type { TransactionStatusAnswer } from "../spec/version.ts";
import { findExecuted } from "../methods/shared.ts";
import type { ChainContext, MainContext } from "../context.ts";

/** Where a transaction stands, in words of ours and as answers tell it. */
export interface CurrentStatus {
  readonly rank: LiveStatus | "ACCEPTED_ON_L1" | "REJECTED";
  readonly status: TransactionStatusAnswer;
  /** The block that has it; absent while none has. */
  readonly blockNumber?: number;
}

/** Where a transaction stands now; `undefined` when nothing is known of it. */
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
  // It may have left the mempool for a block while the mempool was asked.
  const late = executedStatus(context, hash);
  if (late !== undefined) return late;
  const reason = await context.mempool.rejectionOf(hash);
  return reason === undefined
    ? undefined
    : { rank: "REJECTED", status: { kind: "rejected", reason } };
}

/** The same of a transaction whose block is accepted on L1; else `undefined`. */
export function settledStatus(context: ChainContext, hash: Felt): CurrentStatus | undefined {
  const executed = executedStatus(context, hash);
  return executed?.rank === "ACCEPTED_ON_L1" ? executed : undefined;
}

function executedStatus(context: ChainContext, hash: Felt): CurrentStatus | undefined {
  const found = findExecuted(context, hash);
  if (found === undefined) return undefined;
  const { finality, receipt, blockNumber } = found;
  return { rank: finality, status: { kind: "executed", finality, receipt }, blockNumber };
}
