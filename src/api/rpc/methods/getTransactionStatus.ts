import { method, required } from "../method.ts";
import type { TransactionStatusAnswer } from "../spec/version.ts";
import { requireLocation } from "../fork/locate.ts";
import { findExecuted } from "./shared.ts";

/**
 * JSON-RPC method `starknet_getTransactionStatus`: status of a transaction, from the mempool to L1.
 */
export const getTransactionStatus = method({
  name: "getTransactionStatus",
  family: "read",
  runsOn: "main",
  summary: "Status of a transaction, from the mempool to L1.",
  params: (spec) => ({ transaction_hash: required(spec.felt) }),
  result: (spec) => spec.transactionStatus,
  answer: (spec) => spec.schemas.transactionStatus,
  errors: ["TXN_HASH_NOT_FOUND"],
  async handler(context, { transaction_hash: hash }, fail): Promise<TransactionStatusAnswer> {
    const executed = findExecuted(context, hash);
    if (executed !== undefined) return { kind: "executed", ...executed };
    const waiting = await context.mempool.find(hash);
    if (waiting !== undefined) {
      return { kind: "received", isCandidate: waiting.isCandidate };
    }
    // It may have moved from the mempool to a block during the lookup.
    const late = findExecuted(context, hash);
    if (late !== undefined) return { kind: "executed", ...late };
    const reason = await context.mempool.rejectionOf(hash);
    if (reason !== undefined) return { kind: "rejected", reason };
    requireLocation(context, hash);
    return fail("TXN_HASH_NOT_FOUND");
  },
});
