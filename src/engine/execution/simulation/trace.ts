import type { HashedTransaction } from "#protocol/chain/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { StateReader } from "#engine/state/index.ts";
import type { BlockContext } from "../block/context.ts";
import type { TransactionExecutionInfo } from "../block/outcome.ts";
import type { CallInfo } from "../call/info.ts";
import type { TraceMemory } from "../call/trace-memory.ts";
import { contextOf } from "../transaction/context.ts";
import { type CallGasTable, callGasTable } from "./call-gas.ts";

/** Trace of an executed transaction; the source of trace responses. */
export interface TransactionTrace {
  readonly transaction: HashedTransaction;
  readonly info: TransactionExecutionInfo;
  readonly callGas: CallGasTable;
  /** Class of the transaction's target contract; 0 if none. */
  readonly classHash: Felt;
  /** Approximate memory size. */
  readonly sizeBytes: number;
  /** Number of felts in all its lists. Its JSON text has about 40 bytes per felt, at most 69. */
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
  info: TransactionExecutionInfo,
  state: StateReader,
  memory: Pick<TraceMemory, "sizeBytes">,
): TransactionTrace {
  const context = contextOf(block, hashed);
  const roots = rootCalls(info);
  return {
    transaction: hashed,
    info,
    callGas: callGasTable(roots, block.constants, context.gasMode),
    classHash: state.classHashAt(context.senderAddress),
    ...sizeOf(info, roots, memory.sizeBytes),
  };
}

function sizeOf(
  { stateDiff, revertReason }: TransactionExecutionInfo,
  roots: readonly CallInfo[],
  keptBytes: number,
): Pick<TransactionTrace, "sizeBytes" | "felts"> {
  let bytes = TRACE_BYTES + keptBytes;
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
  for (const cells of stateDiff.storageDiffs.values()) bytes += 4 * FELT_BYTES * cells.size;
  bytes += FELT_BYTES * emitted + (revertReason?.length ?? 0);
  return { sizeBytes: bytes, felts: handed + emitted };
}

/** Bytes of a trace without its calls, of a call, of an event or message, of a felt. */
const TRACE_BYTES = 4096;
const CALL_BYTES = 1536;
const ITEM_BYTES = 256;
const FELT_BYTES = 40;

function rootCalls({ validate, execute, feeTransfer }: TransactionExecutionInfo): CallInfo[] {
  return [validate, execute, feeTransfer].filter((call) => call !== null);
}
