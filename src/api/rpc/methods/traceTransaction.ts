import { method, required } from "../method.ts";
import { asIs, notBuilt } from "./shared.ts";

/** starknet_traceTransaction. */
export const traceTransaction = method({
  name: "traceTransaction",
  family: "trace",
  runsOn: "query",
  summary: "Trace of an executed transaction with its internal calls.",
  params: (spec) => ({ transaction_hash: required(spec.felt) }),
  result: () => asIs<never>(),
  errors: ["TXN_HASH_NOT_FOUND", "NO_TRACE_AVAILABLE"],
  handler: () => notBuilt("traceTransaction"),
});
