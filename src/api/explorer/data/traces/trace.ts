import {
  failTraces,
  findTraced,
  locateFirst,
  originTrace,
  type QueryContext,
  type QueryResult,
  WHOLE_TRACE_ENCODERS,
} from "#api/rpc/index.ts";
import type { Felt } from "#base/primitives/index.ts";

/**
 * Computes the answer of `api/trace`: the trace of a transaction, and the calls of its execution if that was reverted,
 * which JSON-RPC does not have. A transaction of a fork's origin has the origin's trace alone.
 *
 * @returns `null` for a transaction in no block
 * @throws {NotServedError} when the trace cannot be computed
 * @throws {OriginError} when the origin of a fork does not return the trace
 */
export function traceAnswer(context: QueryContext, hash: Felt): QueryResult {
  const inherited = originTrace(context, hash, locateFirst(context, hash));
  if (inherited !== undefined) return { trace: inherited.json, reverted: null };
  const found = findTraced(context, hash);
  if (found === undefined) return null;
  const outcome = context.tracing.traceOne(found.block, found.index);
  if (outcome.kind !== "ok") return failTraces(found.block, outcome);
  return WHOLE_TRACE_ENCODERS.wholeTrace(outcome.trace);
}
