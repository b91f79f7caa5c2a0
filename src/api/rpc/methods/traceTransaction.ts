import type { TransactionTrace } from "#engine/execution/index.ts";
import { locateFirst, requireLocation } from "../fork/locate.ts";
import { method, required } from "../method.ts";
import type { OriginTrace } from "../spec/origin-trace.ts";
import { originTrace } from "../traces/origin-traces.ts";
import { findTraced } from "../traces/traced-block.ts";
import { failTraces } from "../traces/tracing.ts";
import { transactionCacheKey } from "./cache-keys.ts";
import { findExecuted } from "./shared.ts";

/**
 * JSON-RPC method `starknet_traceTransaction`: trace of an executed transaction with its internal
 * calls.
 */
export const traceTransaction = method({
  name: "traceTransaction",
  family: "trace",
  runsOn: "query",
  summary: "Trace of an executed transaction with its internal calls.",
  params: (spec) => ({ transaction_hash: required(spec.felt) }),
  result: (spec) => (answer: TransactionTraceAnswer) =>
    answer.kind === "origin" ? spec.originTrace(answer.trace) : spec.transactionTrace(answer.trace),
  answer: (spec) => spec.schemas.transactionTrace,
  errors: ["TXN_HASH_NOT_FOUND", "NO_TRACE_AVAILABLE"],
  cacheKey: (context, { transaction_hash }) => transactionCacheKey(context, transaction_hash),
  async preflight(context, { transaction_hash: hash }, fail) {
    if (findExecuted(context, hash) !== undefined) return;
    const waiting = await context.mempool.find(hash);
    // It may have moved from the mempool to a block during the lookup.
    if (findExecuted(context, hash) !== undefined) return;
    if (waiting !== undefined) return fail("NO_TRACE_AVAILABLE", { status: "RECEIVED" });
    if ((await context.mempool.rejectionOf(hash)) !== undefined) {
      return fail("NO_TRACE_AVAILABLE", { status: "REJECTED" });
    }
  },
  handler(context, { transaction_hash: hash }, fail): TransactionTraceAnswer {
    const trace = originTrace(context, hash, locateFirst(context, hash));
    if (trace !== undefined) return { kind: "origin", trace };
    const found = findTraced(context, hash);
    if (found === undefined) {
      requireLocation(context, hash);
      return fail("TXN_HASH_NOT_FOUND");
    }
    const outcome = context.tracing.traceOne(found.block, found.index);
    if (outcome.kind !== "ok") return failTraces(found.block, outcome);
    return { kind: "local", trace: outcome.trace };
  },
});

/** Trace that was made here, or by the origin of a fork. */
type TransactionTraceAnswer =
  | { readonly kind: "local"; readonly trace: TransactionTrace }
  | { readonly kind: "origin"; readonly trace: OriginTrace };
