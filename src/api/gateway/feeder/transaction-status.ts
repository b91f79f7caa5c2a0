import type { GatewayTransactionStatus } from "#io/feeder/index.ts";
import type { FoundTransaction } from "./find-transaction.ts";

const NOTHING = {
  executionStatus: undefined,
  blockHash: undefined,
  failureReason: undefined,
  revertReason: undefined,
} as const;

/**
 * What the gateway says of a transaction. `finality` is RECEIVED until a block with it is accepted, also
 * of what was rejected: readers know no other word. `status` says more.
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
