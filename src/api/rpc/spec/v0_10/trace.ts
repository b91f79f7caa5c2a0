import type { JsonObject } from "#base/codec/index.ts";
import type { CallGas, CallInfo, TransactionTrace } from "#engine/execution/index.ts";
import {
  type TraceEncoders,
  traceEncoders,
  type TraceShape,
  type WholeTraceEncoders,
} from "../trace-encoders.ts";
import { withMigrations } from "../origin-trace.ts";
import { encodeEstimate } from "./fee-estimate.ts";
import { encodeStateDiff } from "./state-update.ts";

/** Encoders of the parts of a trace in JSON-RPC 0.10; older versions override some of them. */
export const TRACE_SHAPE: TraceShape = {
  stateDiff: encodeStateDiff,
  callMembers: encodeCallMembers,
  transactionResources: encodeResources,
  estimate: encodeEstimate,
  revertedHandler: (_, reason) => ({ revert_reason: reason }),
  originTrace: ({ json }) => withMigrations(json),
};

const { wholeTrace, wholeSimulation, ...specified } = traceEncoders(TRACE_SHAPE);

/** Encoders of traces, simulations and message fee estimates in JSON-RPC 0.10. */
export const TRACE_ENCODERS: TraceEncoders = specified;

/** Encoders of traces with the calls of reverted executions, in the form of JSON-RPC 0.10. */
export const WHOLE_TRACE_ENCODERS: WholeTraceEncoders = { wholeTrace, wholeSimulation };

/** INNER_CALL_EXECUTION_RESOURCES, and whether the call failed and its caller handled that. */
function encodeCallMembers({ failed }: CallInfo, { l1Gas, l2Gas }: CallGas): JsonObject {
  return {
    execution_resources: { l1_gas: Number(l1Gas), l2_gas: Number(l2Gas) },
    is_reverted: failed,
  };
}

/** EXECUTION_RESOURCES, as in the receipt. */
function encodeResources({ info: { gas } }: TransactionTrace): JsonObject {
  return {
    l1_gas: Number(gas.l1Gas),
    l1_data_gas: Number(gas.l1DataGas),
    l2_gas: Number(gas.l2Gas),
  };
}
