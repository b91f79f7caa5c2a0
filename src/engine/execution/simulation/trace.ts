import type { HashedTransaction } from "#protocol/chain/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { StateReader } from "#engine/state/index.ts";
import type { BlockContext } from "../block/context.ts";
import type { TransactionExecutionInfo } from "../block/outcome.ts";
import type { FailedCalls } from "../call/failed-calls.ts";
import type { CallInfo } from "../call/info.ts";
import type { TraceMemory } from "../call/trace-memory.ts";
import { contextOf } from "../transaction/context.ts";
import { type CallGasTable, callGasTable } from "./call-gas.ts";

/** Trace of an executed transaction; the source of trace responses. */
export interface TransactionTrace {
  readonly transaction: HashedTransaction;
  readonly info: Omit<TransactionExecutionInfo, "reverted">;
  readonly callGas: CallGasTable;
  /** Class of the transaction's target contract; 0 if none. */
  readonly classHash: Felt;
  /** Approximate memory size. */
  readonly sizeBytes: number;
  /** Number of felts in all its lists. Its JSON text has about 40 bytes per felt, at most 69. */
  readonly felts: number;
  /** Calls of a reverted execution, which JSON-RPC does not have; `null` without one. */
  readonly reverted: RevertedTrace | "too_large" | null;
}

/** Calls of a reverted execution in a trace. Events and messages in it were undone. */
export interface RevertedTrace extends FailedCalls {
  readonly callGas: CallGasTable;
  /** Approximate memory size, a part of that of the trace. */
  readonly sizeBytes: number;
  /** Number of felts in all its lists. */
  readonly felts: number;
}

/**
 * Builds the trace of a transaction that was executed with the flag `trace`.
 *
 * @param state - state after the transaction
 * @param memory - stored inputs and outputs of its calls
 */
export function transactionTrace(
  block: BlockContext,
  hashed: HashedTransaction,
  executed: TransactionExecutionInfo,
  state: StateReader,
  memory: Pick<TraceMemory, "sizeBytes" | "maxBytes">,
): TransactionTrace {
  const context = contextOf(block, hashed);
  const { reverted: failed, ...info } = executed;
  const { stateDiff, revertReason } = info;
  const gasOf = (calls: readonly CallInfo[]): CallGasTable =>
    callGasTable(calls, block.constants, context.gasMode);
  const roots = rootCalls(info);
  const { bytes, felts } = sizeOf(roots);
  let sizeBytes = TRACE_BYTES + memory.sizeBytes + bytes + (revertReason?.length ?? 0);
  for (const cells of stateDiff.storageDiffs.values()) sizeBytes += 4 * FELT_BYTES * cells.size;
  const callGas = gasOf(roots);
  const classHash = state.classHashAt(context.senderAddress);
  const trace = { transaction: hashed, info, callGas, classHash, sizeBytes, felts, reverted: null };
  if (failed === null) return trace;
  const size = sizeOf([failed.root]);
  const withCalls = sizeBytes + size.bytes;
  // Never the cause why a trace is too large: JSON-RPC has traces of reverted transactions without it.
  if (withCalls > memory.maxBytes) return { ...trace, reverted: "too_large" };
  const more = { callGas: gasOf([failed.root]), sizeBytes: size.bytes, felts: size.felts };
  return { ...trace, sizeBytes: withCalls, reverted: { ...failed, ...more } };
}

/** Drops the calls of a reverted execution, which then count as too large. */
export function withoutReverted(trace: TransactionTrace): TransactionTrace {
  const { reverted, sizeBytes } = trace;
  if (reverted === null || reverted === "too_large") return trace;
  return { ...trace, sizeBytes: sizeBytes - reverted.sizeBytes, reverted: "too_large" };
}

/** Approximate size of calls in memory, and the number of felts in their lists. */
function sizeOf(roots: readonly CallInfo[]): { readonly bytes: number; readonly felts: number } {
  let bytes = 0;
  let handed = 0;
  let emitted = 0;
  const pending = [...roots];
  for (let call = pending.pop(); call !== undefined; call = pending.pop()) {
    bytes += CALL_BYTES;
    handed += call.calldata.length + call.result.length;
    for (const { keys, data } of call.events) {
      bytes += ITEM_BYTES;
      emitted += keys.length + data.length;
    }
    for (const { payload } of call.messages) {
      bytes += ITEM_BYTES;
      emitted += payload.length;
    }
    bytes += FELT_BYTES * (call.storageReadValues.length + call.accessedStorageKeys.size);
    for (const inner of call.innerCalls) pending.push(inner);
  }
  bytes += FELT_BYTES * emitted;
  return { bytes, felts: handed + emitted };
}

/** Bytes of a trace without its calls, of a call, of an event or message, of a felt. */
const TRACE_BYTES = 4096;
const CALL_BYTES = 1536;
const ITEM_BYTES = 256;
const FELT_BYTES = 40;

function rootCalls({
  validate,
  execute,
  feeTransfer,
}: Pick<TransactionExecutionInfo, "validate" | "execute" | "feeTransfer">): CallInfo[] {
  return [validate, execute, feeTransfer].filter((call) => call !== null);
}
