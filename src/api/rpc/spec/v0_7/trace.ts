import { isJsonObject, type JsonObject } from "#base/codec/index.ts";
import { NO_RESOURCES, sumResources, type TransactionTrace } from "#engine/execution/index.ts";
import type { VmResources } from "#protocol/versions/index.ts";
import { mapCalls, type OriginTrace } from "../origin-trace.ts";
import { type TraceEncoders, traceEncoders, type TraceShape } from "../trace-encoders.ts";
import { encodeUnknownRun, TRACE_SHAPE as NEWER_SHAPE } from "../v0_8/trace.ts";
import { encodeComputation } from "./computation.ts";
import { encodeEstimate } from "./fee-estimate.ts";

/** Trace shape of this version: resources are Cairo VM resources, and no call is marked as reverted. */
const TRACE_SHAPE: TraceShape = {
  ...NEWER_SHAPE,
  callMembers: ({ vmResources }) => ({ execution_resources: encodeUsed(vmResources) }),
  transactionResources: encodeResources,
  estimate: encodeEstimate,
  revertedHandler: (trace) => ({
    ...encodeUnknownRun(trace),
    execution_resources: encodeUsed(NO_RESOURCES),
  }),
  originTrace: encodeOriginTrace,
};

/** Encoders of traces, simulations and message fee estimates in JSON-RPC 0.7. */
export const TRACE_ENCODERS: TraceEncoders = traceEncoders(TRACE_SHAPE);

/**
 * COMPUTATION_RESOURCES. The specification does not allow 0 steps: calls without steps, such as those metered
 * in Sierra gas, report 1.
 */
function encodeUsed(resources: VmResources): JsonObject {
  return encodeComputation({ ...resources, steps: Math.max(1, resources.steps) });
}

/** The origin's newer version does not report VM resources, nor the gas on L1 that is for data. */
function encodeOriginTrace(trace: OriginTrace): JsonObject {
  const newer = mapCalls(NEWER_SHAPE.originTrace(trace), (call) => {
    const { is_reverted: _, ...members } = call;
    return { ...members, execution_resources: encodeUsed(NO_RESOURCES) };
  });
  const { execution_resources: gas } = newer;
  const dataGas = isJsonObject(gas) ? (gas["l1_data_gas"] ?? 0) : 0;
  return {
    ...newer,
    execution_resources: {
      ...encodeUsed(NO_RESOURCES),
      data_availability: { l1_gas: 0, l1_data_gas: dataGas },
    },
  };
}

/** EXECUTION_RESOURCES: the sum over all calls that the protocol made, and data availability gas. */
function encodeResources({ info }: TransactionTrace): JsonObject {
  const { validate, execute, feeTransfer, daGas } = info;
  const calls = [validate, execute, feeTransfer].filter((call) => call !== null);
  const used = calls.reduce(
    (sum: VmResources, { vmResources }) => sumResources(sum, vmResources),
    NO_RESOURCES,
  );
  return {
    ...encodeUsed(used),
    data_availability: {
      l1_gas: Number(daGas.l1Gas),
      l1_data_gas: Number(daGas.l1DataGas),
    },
  };
}
