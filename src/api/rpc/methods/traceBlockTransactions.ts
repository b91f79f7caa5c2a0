import { method, optional, required } from "../method.ts";
import { asIs, notBuilt } from "./shared.ts";

/** starknet_traceBlockTransactions. */
export const traceBlockTransactions = method({
  name: "traceBlockTransactions",
  family: "trace",
  runsOn: "query",
  summary: "Traces of all transactions of a block.",
  params: (spec) => ({
    block_id: required(spec.sealedBlockId),
    trace_flags: optional(spec.traceFlags, []),
  }),
  result: () => asIs<never>(),
  errors: ["BLOCK_NOT_FOUND"],
  handler: () => notBuilt("traceBlockTransactions"),
});
