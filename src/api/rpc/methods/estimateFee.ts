import { senderAddressOf } from "#protocol/chain/index.ts";
import { stateOf } from "../block-id.ts";
import { elidable, method, required } from "../method.ts";
import { stopped } from "../stopped.ts";
import { blockOrFail, infoOrFail } from "./shared.ts";
import { transactionsToRun } from "./transactions-to-run.ts";

/**
 * JSON-RPC method `starknet_estimateFee`: fees of transactions, each executed on the state left by
 * the previous ones.
 */
export const estimateFee = method({
  name: "estimateFee",
  family: "read",
  runsOn: "query",
  summary: "Fees of transactions, each executed on the state left by the previous ones.",
  params: (spec) => ({
    request: required(spec.anyTransactions),
    simulation_flags: elidable(spec.estimateFlags, []),
    block_id: required(spec.blockId),
  }),
  result: (spec) => spec.feeEstimates,
  answer: (spec) => spec.schemas.feeEstimates,
  errors: ["CONTRACT_NOT_FOUND", "TRANSACTION_EXECUTION_ERROR", "BLOCK_NOT_FOUND"],
  handler(context, { request, simulation_flags, block_id }, fail) {
    const block = blockOrFail(context, block_id, fail);
    const info = infoOrFail(context, block, fail);
    const transactions = transactionsToRun(context, "request", request, fail);
    const validate = !simulation_flags.includes("SKIP_VALIDATE");
    const state = stateOf(context, block);
    // Later senders may be deployed by the transactions before them.
    const first = transactions[0]?.transaction.transaction;
    if (
      first !== undefined &&
      first.type !== "DEPLOY_ACCOUNT" &&
      state.classHashAt(senderAddressOf(first)) === 0n
    ) {
      return fail("CONTRACT_NOT_FOUND", "the sender of request[0] is not deployed");
    }
    const outcome = context.execution.estimateFee(state, info, transactions, { validate });
    switch (outcome.kind) {
      case "ok":
        return outcome.estimates;
      case "failed":
        return fail("TRANSACTION_EXECUTION_ERROR", {
          transactionIndex: outcome.index,
          failure: outcome.failure ?? outcome.reason,
        });
      case "cancelled":
        return stopped();
    }
  },
});
