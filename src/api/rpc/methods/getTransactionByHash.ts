import type { ReceivedElsewhere, WaitingTransaction } from "../context.ts";
import { method, optional, required } from "../method.ts";
import { findTransaction } from "./find-transaction.ts";
import { notFound } from "./shared.ts";

/** starknet_getTransactionByHash. */
export const getTransactionByHash = method({
  name: "getTransactionByHash",
  family: "read",
  runsOn: "main",
  summary: "A transaction by hash: of a block, of the block being built, or of the mempool.",
  params: (spec) => ({
    transaction_hash: required(spec.felt),
    response_flags: optional(spec.transactionFlags, []),
  }),
  result: (spec) => spec.transaction,
  answer: (spec) => spec.schemas.transaction,
  errors: ["TXN_HASH_NOT_FOUND"],
  async handler(context, { transaction_hash: hash, response_flags }, fail) {
    const transaction =
      findTransaction(context, hash) ??
      contentsOf(await context.mempool.find(hash)) ??
      // It may have left the mempool for a block while the mempool was asked.
      findTransaction(context, hash) ??
      (await notFound(context, hash, fail));
    return {
      transaction,
      options: { proofFacts: response_flags.includes("INCLUDE_PROOF_FACTS") },
    };
  },
});

/** Of a transaction that only another node has, nothing can be shown. */
function contentsOf(
  waiting: WaitingTransaction | ReceivedElsewhere | undefined,
): WaitingTransaction | undefined {
  return waiting?.transaction === undefined ? undefined : waiting;
}
