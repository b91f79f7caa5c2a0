import {
  fail,
  findTraced,
  hexes,
  failTraces,
  type QueryContext,
  type QueryResult,
  tracedBlock,
  type TraceLists,
  tracesOf,
  writeTraces,
} from "#api/rpc/index.ts";
import type { JsonObject, JsonSourceObject } from "#base/codec/index.ts";
import { type Felt, hexFromFelt } from "#base/primitives/index.ts";
import type { CallInfo, TransactionTrace } from "#engine/execution/index.ts";
import { BUILTIN_NAMES, type VmResources } from "#protocol/versions/index.ts";
import { type AcceptedBlock, headerOf } from "./accepted.ts";

/**
 * Computes the response of get_block_traces, in the form of the public networks' gateway.
 *
 * @throws {RpcFault} BLOCK_NOT_FOUND when the block was reverted, or its state is pruned
 * @throws {NotServedError} when the traces cannot be computed
 */
export function blockTraces(
  context: QueryContext,
  target: Pick<AcceptedBlock, "number" | "hash">,
): QueryResult {
  const { number } = headerOf(context, target);
  const block = tracedBlock(context, { kind: "accepted", number }) ?? fail("BLOCK_NOT_FOUND");
  const outcome = context.tracing.traceBlock(block);
  if (outcome.kind !== "ok" && outcome.kind !== "long") return failTraces(block, outcome);
  const traces = tracesOf(block, outcome);
  return writeTraces(traces, (lists) => ({
    traces: lists.of(traces, (trace) => ({
      ...writeTrace(trace, lists),
      transaction_hash: hexFromFelt(trace.transaction.hash),
    })),
  }));
}

/**
 * Computes the response of get_transaction_trace: `null` for a transaction in no block.
 *
 * @throws as {@link blockTraces}
 */
export function oneTrace(context: QueryContext, transactionHash: Felt): QueryResult {
  const found = findTraced(context, transactionHash);
  if (found === undefined) return null;
  const outcome = context.tracing.traceOne(found.block, found.index);
  if (outcome.kind !== "ok") return failTraces(found.block, outcome);
  const { trace } = outcome;
  return writeTraces([trace], (lists) => writeTrace(trace, lists));
}

/** Encodes a trace in the form of the public networks' gateway; calls that did not happen are omitted. */
export function writeTrace(
  { info, transaction: { transaction } }: TransactionTrace,
  lists: TraceLists,
): JsonSourceObject {
  const { validate, execute, feeTransfer, revertReason } = info;
  return {
    revert_error: revertReason ?? undefined,
    validate_invocation: validate === null ? undefined : writeCall(validate, lists),
    function_invocation:
      execute === null || revertReason !== null ? undefined : writeCall(execute, lists),
    fee_transfer_invocation: feeTransfer === null ? undefined : writeCall(feeTransfer, lists),
    signature: "signature" in transaction ? hexes(transaction.signature) : [],
  };
}

function writeCall(call: CallInfo, lists: TraceLists): JsonSourceObject {
  return {
    caller_address: hexFromFelt(call.callerAddress),
    contract_address: hexFromFelt(call.contractAddress),
    calldata: lists.felts(call.calldata),
    call_type: call.callType,
    class_hash: hexFromFelt(call.classHash),
    selector: hexFromFelt(call.entryPointSelector),
    entry_point_type: call.entryPointType,
    result: lists.felts(call.result),
    failed: call.failed,
    gas_consumed: call.trackedResource === "sierra_gas" ? Number(call.gasConsumed) : undefined,
    execution_resources: writeResources(call.vmResources),
    internal_calls: lists.of(call.innerCalls, (inner) => writeCall(inner, lists)),
    events: call.events.map(({ order, keys, data }) => ({
      order,
      keys: hexes(keys),
      data: hexes(data),
    })),
    messages: call.messages.map(({ order, toAddress, payload }) => ({
      order,
      to_address: hexFromFelt(toAddress),
      payload: hexes(payload),
    })),
  };
}

/** Omits unused builtins. */
function writeResources({ steps, memoryHoles, builtins }: VmResources): JsonObject {
  const counters: Record<string, number> = {};
  for (const name of BUILTIN_NAMES) {
    const count = builtins[name] ?? 0;
    if (count > 0) counters[`${name}_builtin`] = count;
  }
  return { n_steps: steps, builtin_instance_counter: counters, n_memory_holes: memoryHoles };
}
