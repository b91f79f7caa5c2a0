import type { JsonObject } from "#base/codec/index.ts";
import { hexFromFelt } from "#base/primitives/index.ts";
import type { TransactionTrace } from "#engine/execution/index.ts";
import { isRevertedHandler } from "../origin-trace.ts";
import { type TraceEncoders, traceEncoders, type TraceShape } from "../trace-encoders.ts";
import { TRACE_SHAPE as NEWER_SHAPE } from "../v0_9/trace.ts";

/** Encoders of the parts of a trace in JSON-RPC 0.8; version 0.7 overrides some of them. */
export const TRACE_SHAPE: TraceShape = {
  ...NEWER_SHAPE,
  revertedHandler: encodeRevertedHandler,
  originTrace(trace) {
    const json = NEWER_SHAPE.originTrace(trace);
    if (!isRevertedHandler(json)) return json;
    return { ...json, function_invocation: encodeRevertedHandler(trace.handler()) };
  },
};

/** Encoders of traces, simulations and message fee estimates in JSON-RPC 0.8. */
export const TRACE_ENCODERS: TraceEncoders = traceEncoders(TRACE_SHAPE);

function encodeRevertedHandler(handler: CalledHandler): JsonObject {
  return {
    ...encodeUnknownRun(handler),
    execution_resources: { l1_gas: 0, l2_gas: 0 },
    is_reverted: true,
  };
}

/** L1 handler transaction, and the class that it called. */
type CalledHandler = Pick<TransactionTrace, "transaction" | "classHash">;

/**
 * Encodes the FUNCTION_INVOCATION of a reverted L1 handler without the effects of its run: JSON-RPC
 * 0.8 cannot represent the reason.
 */
export function encodeUnknownRun({ transaction, classHash }: CalledHandler): JsonObject {
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
