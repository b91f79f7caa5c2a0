import type { HashedTransaction } from "#protocol/chain/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { StateReader } from "#engine/state/index.ts";
import type { BlockContext } from "../block/context.ts";
import type { TransactionExecutionInfo } from "../block/outcome.ts";
import type { CallInfo } from "../call/info.ts";
import { contextOf } from "../transaction/context.ts";
import { type CallGasTable, callGasTable } from "./call-gas.ts";

/** What happened in an executed transaction; answers of the trace methods are made from it. */
export interface TransactionTrace {
  readonly transaction: HashedTransaction;
  readonly info: TransactionExecutionInfo;
  /** Gas of every call in `info`. */
  readonly callGas: CallGasTable;
  /** Class of the contract that the transaction was for; 0 when there is none. */
  readonly classHash: Felt;
}

/**
 * The trace of a transaction that was executed with the flag `trace`.
 *
 * @param state - after the transaction
 */
export function transactionTrace(
  block: BlockContext,
  hashed: HashedTransaction,
  info: TransactionExecutionInfo,
  state: StateReader,
): TransactionTrace {
  const context = contextOf(block, hashed);
  const roots = rootCalls(info);
  return {
    transaction: hashed,
    info,
    callGas: callGasTable(roots, block.constants, context.gasMode),
    classHash: state.classHashAt(context.senderAddress),
  };
}

/** About how many bytes a trace keeps. */
export function traceSizeBytes({ info }: TransactionTrace): number {
  let bytes = TRACE_BYTES;
  const pending = rootCalls(info);
  for (let call = pending.pop(); call !== undefined; call = pending.pop()) {
    bytes += CALL_BYTES + FELT_BYTES * (call.calldata.length + call.result.length);
    for (const { keys, data } of call.events) {
      bytes += ITEM_BYTES + FELT_BYTES * (keys.length + data.length);
    }
    for (const { payload } of call.messages) bytes += ITEM_BYTES + FELT_BYTES * payload.length;
    bytes += FELT_BYTES * (call.storageReadValues.length + call.accessedStorageKeys.size);
    pending.push(...call.innerCalls);
  }
  for (const cells of info.stateDiff.storageDiffs.values()) bytes += 4 * FELT_BYTES * cells.size;
  return bytes + (info.revertReason?.length ?? 0);
}

/** Bytes of a trace beside of its calls, of a call, of an event or message, of a felt. */
const TRACE_BYTES = 4096;
const CALL_BYTES = 1536;
const ITEM_BYTES = 256;
const FELT_BYTES = 40;

function rootCalls({ validate, execute, feeTransfer }: TransactionExecutionInfo): CallInfo[] {
  return [validate, execute, feeTransfer].filter((call) => call !== null);
}
