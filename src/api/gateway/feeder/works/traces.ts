import { fail, findTraced, noTraces, type QueryContext, tracedBlock } from "#api/rpc/index.ts";
import type { JsonObject, JsonValue } from "#base/codec/index.ts";
import { type Felt, hexFromFelt } from "#base/primitives/index.ts";
import type { CallInfo, TransactionTrace } from "#engine/execution/index.ts";
import { feltsOf } from "#kernels/vm/index.ts";
import { BUILTIN_NAMES, type VmResources } from "#protocol/versions/index.ts";
import { type AcceptedBlock, headerOf } from "./accepted.ts";

/**
 * The answer to get_block_traces, in the form of the network's gateway.
 *
 * @throws {RpcFault} BLOCK_NOT_FOUND when the block was taken back, or its state is not kept any more
 * @throws {NotServedError} when the traces cannot be made
 */
export function blockTraces(
  context: QueryContext,
  asked: Pick<AcceptedBlock, "number" | "hash">,
): JsonObject {
  const { number } = headerOf(context, asked);
  const block = tracedBlock(context, { kind: "accepted", number }) ?? fail("BLOCK_NOT_FOUND");
  const outcome = context.tracing.traceBlock(block);
  if (outcome.kind !== "ok") return noTraces(block, outcome);
  return {
    traces: outcome.traces.map((trace) => ({
      ...writeTrace(trace),
      transaction_hash: hexFromFelt(trace.transaction.hash),
    })),
  };
}

/**
 * The answer to get_transaction_trace: `null` for a transaction that is in no block.
 *
 * @throws as {@link blockTraces}
 */
export function oneTrace(context: QueryContext, transactionHash: Felt): JsonValue {
  const found = findTraced(context, transactionHash);
  if (found === undefined) return null;
  const outcome = context.tracing.traceOne(found.block, found.index);
  return outcome.kind === "ok" ? writeTrace(outcome.trace) : noTraces(found.block, outcome);
}

/** A trace as the network's gateway writes it; calls that were not made are left out. */
export function writeTrace({ info, transaction: { transaction } }: TransactionTrace): JsonObject {
  const { validate, execute, feeTransfer, revertReason } = info;
  return {
    revert_error: revertReason ?? undefined,
    validate_invocation: validate === null ? undefined : writeCall(validate),
    function_invocation: execute === null || revertReason !== null ? undefined : writeCall(execute),
    fee_transfer_invocation: feeTransfer === null ? undefined : writeCall(feeTransfer),
    signature: "signature" in transaction ? hexes(transaction.signature) : [],
  };
}

function writeCall(call: CallInfo): JsonObject {
  return {
    caller_address: hexFromFelt(call.callerAddress),
    contract_address: hexFromFelt(call.contractAddress),
    calldata: hexes(feltsOf(call.calldata)),
    call_type: call.callType,
    class_hash: hexFromFelt(call.classHash),
    selector: hexFromFelt(call.entryPointSelector),
    entry_point_type: call.entryPointType,
    result: hexes(feltsOf(call.result)),
    failed: call.failed,
    gas_consumed: call.trackedResource === "sierra_gas" ? Number(call.gasConsumed) : undefined,
    execution_resources: writeResources(call.vmResources),
    internal_calls: call.innerCalls.map(writeCall),
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

/** Builtins that were not used are left out. */
function writeResources({ steps, memoryHoles, builtins }: VmResources): JsonObject {
  const counters: Record<string, number> = {};
  for (const name of BUILTIN_NAMES) {
    const count = builtins[name] ?? 0;
    if (count > 0) counters[`${name}_builtin`] = count;
  }
  return { n_steps: steps, builtin_instance_counter: counters, n_memory_holes: memoryHoles };
}

function hexes(felts: readonly Felt[]): readonly string[] {
  return felts.map(hexFromFelt);
}
