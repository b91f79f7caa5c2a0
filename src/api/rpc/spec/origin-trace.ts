import { isJsonObject, type JsonObject, type JsonValue } from "#base/codec/index.ts";
import type { TransactionTrace } from "#engine/execution/index.ts";

/** Trace of a transaction of a fork's origin. */
export interface OriginTrace {
  /** TRANSACTION_TRACE in the origin's version of the specification: 0.8 or newer. */
  readonly json: JsonObject;
  /** Returns the transaction and the class that it called; used for reverted L1 handlers. */
  readonly handler: () => Pick<TransactionTrace, "transaction" | "classHash">;
}

/** Members that hold the main call of a transaction, by its type. */
const CALLS = [
  "validate_invocation",
  "execute_invocation",
  "constructor_invocation",
  "function_invocation",
  "fee_transfer_invocation",
] as const;

/**
 * Returns a trace of a fork's origin whose STATE_DIFF has the list of migrated classes, which older
 * origins omit.
 */
export function withMigrations(trace: JsonObject): JsonObject {
  const { state_diff: diff } = trace;
  if (!isJsonObject(diff) || Object.hasOwn(diff, "migrated_compiled_classes")) return trace;
  return { ...trace, state_diff: { ...diff, migrated_compiled_classes: [] } };
}

/** Returns a trace of a fork's origin whose STATE_DIFF has no list of migrated classes. */
export function withoutMigrations(trace: JsonObject): JsonObject {
  const { state_diff: diff } = trace;
  if (!isJsonObject(diff)) return trace;
  const { migrated_compiled_classes: _, ...older } = diff;
  return { ...trace, state_diff: older };
}

/** Whether the trace is one of a reverted L1 handler, in its form since version 0.9. */
export function isRevertedHandler({ function_invocation: call }: JsonObject): boolean {
  return isJsonObject(call) && Object.hasOwn(call, "revert_reason");
}

/** Replaces each call of a trace, inner ones first. */
export function mapCalls(trace: JsonObject, map: (call: JsonObject) => JsonObject): JsonObject {
  const mapped = CALLS.flatMap((name) => {
    const call = trace[name];
    return isJsonObject(call) ? [[name, mapCall(call, map)] as const] : [];
  });
  return { ...trace, ...Object.fromEntries(mapped) };
}

function mapCall(call: JsonObject, map: (call: JsonObject) => JsonObject): JsonObject {
  if (Object.hasOwn(call, "revert_reason")) return call;
  const inner: JsonValue = call["calls"] ?? [];
  const calls = Array.isArray(inner)
    ? inner.map((each: JsonValue) => (isJsonObject(each) ? mapCall(each, map) : each))
    : [];
  return map({ ...call, calls });
}
