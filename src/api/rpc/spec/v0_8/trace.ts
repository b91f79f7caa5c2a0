import type { JsonObject } from "#base/codec/index.ts";
import { hexFromFelt } from "#base/primitives/index.ts";
import type { TransactionTrace } from "#engine/execution/index.ts";
import { type TraceEncoders, traceEncoders, type TraceShape } from "../trace-encoders.ts";
import { TRACE_SHAPE as NEWER_SHAPE } from "../v0_9/trace.ts";

/** The shape of traces; the older version changes parts of it. */
export const TRACE_SHAPE: TraceShape = {
  ...NEWER_SHAPE,
  revertedHandler: (trace) => ({
    ...encodeUnknownRun(trace),
    execution_resources: { l1_gas: 0, l2_gas: 0 },
    is_reverted: true,
  }),
};

/** Traces, simulations and estimates for messages. */
export const TRACE_ENCODERS: TraceEncoders = traceEncoders(TRACE_SHAPE);

/**
 * The FUNCTION_INVOCATION of a handler that reverted, without what its run did: this version has no
 * place for the reason.
 */
export function encodeUnknownRun({ transaction, classHash }: TransactionTrace): JsonObject {
  const handler = transaction.transaction;
  if (handler.type !== "L1_HANDLER") return {};
  return {
    contract_address: hexFromFelt(handler.contractAddress),
    entry_point_selector: hexFromFelt(handler.entryPointSelector),
    calldata: handler.calldata.map(hexFromFelt),
    caller_address: "0x0",
    class_hash: hexFromFelt(classHash),
    entry_point_type: "L1_HANDLER",
    call_type: "CALL",
    result: [],
    calls: [],
    events: [],
    messages: [],
  };
}
