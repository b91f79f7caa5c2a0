import type { GatewayTransactionStatus } from "#io/feeder/index.ts";
import type { FoundTransaction } from "./find-transaction.ts";

const NOTHING = {
  executionStatus: undefined,
  blockHash: undefined,
  failureReason: undefined,
  revertReason: undefined,
} as const;

/**
 * Maps a transaction to the statuses of the gateway. `finality` is RECEIVED until a block with the
 * transaction is accepted, and also for a rejected one: clients accept no other value. `status` is more
 * precise.
 */
export function statusOf(found: FoundTransaction): GatewayTransactionStatus {
  switch (found.kind) {
    case "unknown":
      return { ...NOTHING, finality: "NOT_RECEIVED", status: "NOT_RECEIVED" };
    case "rejected":
      return {
        ...NOTHING,
        finality: "RECEIVED",
        status: "REJECTED",
        executionStatus: "REJECTED",
        failureReason: found.reason,
      };
    case "waiting": {
      const status = found.transaction.isCandidate ? "CANDIDATE" : "RECEIVED";
      return { ...NOTHING, finality: "RECEIVED", status };
    }
    case "included": {
      const { accepted, receipt } = found;
      const { status } = receipt;
      return {
        finality: accepted?.status ?? "RECEIVED",
        status: accepted?.status ?? "PRE_CONFIRMED",
        executionStatus: status.kind === "reverted" ? "REVERTED" : "SUCCEEDED",
        blockHash: accepted?.hash,
        failureReason: undefined,
        revertReason: status.kind === "reverted" ? status.reason : undefined,
      };
    }
  }
}
