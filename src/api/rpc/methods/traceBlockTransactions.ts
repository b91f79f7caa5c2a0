import type { JsonValue } from "#base/codec/index.ts";
import { hexFromFelt } from "#base/primitives/index.ts";
import type { ReadSet } from "#engine/state/index.ts";
import { method, optional, required } from "../method.ts";
import { encodeInitialReads } from "../spec/trace-encoders.ts";
import type { BlockTracesAnswer, SpecVersion } from "../spec/version.ts";
import { type OriginBlockTrace, originTraces } from "../traces/origin-traces.ts";
import { tracedBlock } from "../traces/traced-block.ts";
import { failTraces, tracesOf } from "../traces/tracing.ts";
import { blockCacheKey } from "./cache-keys.ts";
import { blockOrFail } from "./shared.ts";

/** JSON-RPC method `starknet_traceBlockTransactions`: traces of all transactions of a block. */
export const traceBlockTransactions = method({
  name: "traceBlockTransactions",
  family: "trace",
  runsOn: "query",
  summary: "Traces of all transactions of a block.",
  params: (spec) => ({
    block_id: required(spec.sealedBlockId),
    trace_flags: optional(spec.traceFlags, []),
  }),
  result: (spec) => (answer: BlockTraces) =>
    answer.kind === "origin" ? encodeOriginTraces(spec, answer) : spec.blockTraces(answer),
  answer: (spec) => spec.schemas.blockTraces,
  errors: ["BLOCK_NOT_FOUND"],
  cacheKey(context, { block_id, trace_flags }) {
    const block = blockCacheKey(context, block_id);
    return block && `${block} ${trace_flags.includes("RETURN_INITIAL_READS")}`;
  },
  handler(context, { block_id, trace_flags }, fail): BlockTraces {
    const resolved = blockOrFail(context, block_id, fail);
    const wantsReads = trace_flags.includes("RETURN_INITIAL_READS");
    const traced =
      resolved.kind === "accepted" ? originTraces(context, resolved.number) : undefined;
    if (traced !== undefined && !wantsReads) return { kind: "origin", traces: traced };
    const block = tracedBlock(context, resolved) ?? fail("BLOCK_NOT_FOUND");
    const outcome = context.tracing.traceBlock(block);
    if (outcome.kind !== "ok" && outcome.kind !== "long") return failTraces(block, outcome);
    const traces = tracesOf(block, outcome);
    const { initialReads } = outcome;
    // The origin's initial reads are unknown: they are those of the execution here.
    if (traced !== undefined) return { kind: "origin", traces: traced, initialReads };
    return { kind: "local", traces, ...(wantsReads ? { initialReads } : {}) };
  },
});

/** Traces that were made here, or by the origin of a fork. */
type BlockTraces =
  | ({ readonly kind: "local" } & BlockTracesAnswer)
  | {
      readonly kind: "origin";
      readonly traces: readonly OriginBlockTrace[];
      readonly initialReads?: () => ReadSet;
    };

function encodeOriginTraces(
  spec: Pick<SpecVersion, "originTrace">,
  { traces, initialReads }: Extract<BlockTraces, { readonly kind: "origin" }>,
): JsonValue {
  const list = traces.map(({ hash, trace }) => ({
    transaction_hash: hexFromFelt(hash),
    trace_root: spec.originTrace(trace),
  }));
  if (initialReads === undefined) return list;
  return { traces: list, initial_reads: encodeInitialReads(initialReads()) };
}
