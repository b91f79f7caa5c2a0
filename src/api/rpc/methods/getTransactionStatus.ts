import { method, required } from "../method.ts";
import type { TransactionStatusAnswer } from "../spec/version.ts";
import { findExecuted, notFound } from "./shared.ts";

/** starknet_getTransactionStatus. */
export const getTransactionStatus = method({
  name: "getTransactionStatus",
  family: "read",
  runsOn: "main",
  summary: "Where a transaction stands, from the mempool to L1.",
  params: (spec) => ({ transaction_hash: required(spec.felt) }),
  result: (spec) => spec.transactionStatus,
  errors: ["TXN_HASH_NOT_FOUND"],
  async handler(context, { transaction_hash: hash }, fail): Promise<TransactionStatusAnswer> {
    const executed = findExecuted(context, hash);
    if (executed !== undefined) return { kind: "executed", ...executed };
    if ((await context.mempool?.find(hash)) !== undefined) return { kind: "received" };
    // It may have left the mempool for a block while the mempool was asked.
    const late = findExecuted(context, hash);
    if (late !== undefined) return { kind: "executed", ...late };
    return notFound(context, hash, fail);
  },
});
