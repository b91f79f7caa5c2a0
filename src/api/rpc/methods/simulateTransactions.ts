import { elidable, method, required } from "../method.ts";
import { asIs, notBuilt } from "./shared.ts";

/** starknet_simulateTransactions. */
export const simulateTransactions = method({
  name: "simulateTransactions",
  family: "trace",
  runsOn: "query",
  summary: "Traces and fees of transactions, each on the state that all before it leave.",
  params: (spec) => ({
    block_id: required(spec.blockId),
    transactions: required(spec.anyTransactions),
    simulation_flags: elidable(spec.simulationFlags, []),
  }),
  result: () => asIs<never>(),
  errors: ["BLOCK_NOT_FOUND", "TRANSACTION_EXECUTION_ERROR"],
  handler: () => notBuilt("simulateTransactions"),
});
