import type { SyscallName } from "#protocol/versions/index.ts";
import { FeltBlock, type Felts } from "#kernels/vm/index.ts";
import type { ExecutionContext } from "./context.ts";
import { messageError } from "./errors.ts";
import type { CallResult } from "./executor.ts";
import type { CallRecord } from "./record.ts";

// Byte counts for the memory limits (#cairo/memory-limit.ts): what the JavaScript engine takes, rounded up.
// They are fixed, so that the limits are the same on every computer.

const RECORD_BYTES = 2048;
const CELL_BYTES = 32;
/** One felt as a bigint in a list. */
const FELT_BYTES = 64;
const EMISSION_BYTES = 256;

/** Bytes that syscalls add to the record and the state. */
const SYSCALL_BYTES: Readonly<Partial<Record<SyscallName, number>>> = {
  // Includes the record of an empty constructor.
  Deploy: RECORD_BYTES + 384,
  StorageRead: 256,
  StorageWrite: 384,
  GetBlockHash: 256,
  GetClassHashAt: 256,
  ReplaceClass: 256,
  Secp256k1Add: 256,
  Secp256k1GetPointFromX: 256,
  Secp256k1Mul: 256,
  Secp256k1New: 256,
  Secp256r1Add: 256,
  Secp256r1GetPointFromX: 256,
  Secp256r1Mul: 256,
  Secp256r1New: 256,
};

/** Counts the memory of a syscall. @throws {MemoryLimitReached} */
export function countSyscall({ memory }: ExecutionContext, name: SyscallName): void {
  const bytes = SYSCALL_BYTES[name];
  if (bytes !== undefined) memory.take(bytes);
}

/** Counts the memory of an event or a message. @throws {MemoryLimitReached} */
export function countEmission(
  { memory }: ExecutionContext,
  record: CallRecord,
  ...lists: readonly Felts[]
): void {
  let bytes = EMISSION_BYTES;
  for (const { length } of lists) bytes += length * FELT_BYTES;
  memory.take(bytes);
  record.emittedBytes += bytes;
}

/** Checks that the felts may temporarily be held as bigints. @throws {MemoryLimitReached} */
export function checkIntegers({ memory }: ExecutionContext, felts: Felts): void {
  const bytes = felts.length * FELT_BYTES;
  memory.take(bytes);
  memory.give(bytes);
}

/** Drops the events and messages of a failed inner call. */
export function dropEmissions({ memory }: ExecutionContext, record: CallRecord): void {
  memory.give(record.dropEmissions());
}

/** Counts the memory of a new call. @returns the call's result if the limit is exceeded */
export function beginCall(context: ExecutionContext, calldata: Felts): CallResult | undefined {
  return context.memory.tryTake(RECORD_BYTES + blockBytes(calldata))
    ? undefined
    : outOfMemory(context);
}

/** Result of a call that exceeded the memory limit, which ends the whole transaction. */
export function outOfMemory(context: ExecutionContext): CallResult {
  context.outOfMemory = true;
  return { kind: "error", error: messageError("OutOfMemory", context.memory.problem()) };
}

/** Drops an inner call's calldata after the call, unless a trace keeps it. */
export function dropCalldata(context: ExecutionContext, record: CallRecord): void {
  const { calldata } = record;
  if (!giveBack(context, calldata)) record.calldata = FeltBlock.EMPTY;
}

/** Counts a call's return data. @returns false when that would exceed the limit */
export function takeResult({ memory, depth }: ExecutionContext, result: Felts): boolean {
  const bytes = blockBytes(result);
  // The outermost call's machine run is over, so a permit taken now would never be returned.
  return depth > 1 ? memory.tryTake(bytes) : memory.fits(bytes);
}

/**
 * Drops an inner call's return data once the caller has it, unless a trace keeps it. Must be called once per
 * call.
 */
export function dropResult(context: ExecutionContext, record: CallRecord): void {
  const { result } = record;
  if (!giveBack(context, result)) record.result = FeltBlock.EMPTY;
}

/** Stops counting the felts. @returns whether a trace keeps them nevertheless */
function giveBack({ memory, trace }: ExecutionContext, felts: Felts): boolean {
  memory.give(blockBytes(felts));
  if (trace?.keeps(felts) === true) return true;
  if (felts instanceof FeltBlock) felts.release();
  return false;
}

function blockBytes(felts: Felts): number {
  return felts instanceof FeltBlock ? felts.length * CELL_BYTES : 0;
}
