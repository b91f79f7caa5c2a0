import { stateOf } from "../block-id.ts";
import { elidable, method, required } from "../method.ts";
import { stopped } from "../stopped.ts";
import { tooLarge } from "../traces/tracing.ts";
import { blockOrFail, infoOrFail } from "./shared.ts";
import { transactionsToRun } from "./transactions-to-run.ts";

/**
 * JSON-RPC method `starknet_simulateTransactions`: traces and fees of transactions, each executed
 * on the state left by the previous ones.
 */
export const simulateTransactions = method({
  name: "simulateTransactions",
  family: "trace",
  runsOn: "query",
  summary: "Traces and fees of transactions, each executed on the state left by the previous ones.",
  params: (spec) => ({
    block_id: required(spec.blockId),
    transactions: required(spec.anyTransactions),
    simulation_flags: elidable(spec.simulationFlags, []),
  }),
  result: (spec) => spec.simulations,
  answer: (spec) => spec.schemas.simulations,
  errors: ["BLOCK_NOT_FOUND", "TRANSACTION_EXECUTION_ERROR"],
  handler(context, { block_id, transactions, simulation_flags: flags }, fail) {
    const block = blockOrFail(context, block_id, fail);
    const info = infoOrFail(context, block, fail);
    const toRun = transactionsToRun(context, "transactions", transactions, fail);
    const options = {
      skipValidate: flags.includes("SKIP_VALIDATE"),
      skipFeeCharge: flags.includes("SKIP_FEE_CHARGE"),
    };
    const outcome = context.tracing.simulate(stateOf(context, block), info, toRun, options);
    switch (outcome.kind) {
      case "ok": {
        const { simulations, initialReads } = outcome;
        return flags.includes("RETURN_INITIAL_READS")
          ? { simulations, initialReads }
          : { simulations };
      }
      case "failed":
        return fail("TRANSACTION_EXECUTION_ERROR", {
          transactionIndex: outcome.index,
          failure: outcome.failure ?? outcome.reason,
        });
      case "too_large":
        return tooLarge(
          outcome.index === null ? undefined : `the transaction at index ${outcome.index}`,
        );
      case "cancelled":
        return stopped();
    }
  },
});
