import { method, optional, required } from "../method.ts";
import { tracedBlock } from "../traces/traced-block.ts";
import { failTraces, tracesOf } from "../traces/tracing.ts";
import { blockCacheKey } from "./cache-keys.ts";
import { blockOrFail } from "./shared.ts";

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
  result: (spec) => spec.blockTraces,
  answer: (spec) => spec.schemas.blockTraces,
  errors: ["BLOCK_NOT_FOUND"],
  cacheKey(context, { block_id, trace_flags }) {
    const block = blockCacheKey(context, block_id);
    return block && `${block} ${trace_flags.includes("RETURN_INITIAL_READS")}`;
  },
  handler(context, { block_id, trace_flags }, fail) {
    const resolved = blockOrFail(context, block_id, fail);
    const block = tracedBlock(context, resolved) ?? fail("BLOCK_NOT_FOUND");
    const outcome = context.tracing.traceBlock(block);
    if (outcome.kind !== "ok" && outcome.kind !== "long") return failTraces(block, outcome);
    const traces = tracesOf(block, outcome);
    const { initialReads } = outcome;
    return trace_flags.includes("RETURN_INITIAL_READS") ? { traces, initialReads } : { traces };
  },
});
