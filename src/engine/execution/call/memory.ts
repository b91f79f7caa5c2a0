import type { SyscallName } from "#protocol/versions/index.ts";
import { FeltBlock, type Felts } from "#kernels/vm/index.ts";
import type { ExecutionContext } from "./context.ts";
import { messageError } from "./errors.ts";
import type { CallResult } from "./executor.ts";
import type { CallRecord } from "./record.ts";

// Bytes as the memory rule counts them (#cairo/memory-limit.ts): what the engine takes, rounded up.
// They are part of the rule: the same on every computer.

const RECORD_BYTES = 2048;
const CELL_BYTES = 32;
/** A felt as an integer of the engine in a list. */
const FELT_BYTES = 64;
const EMISSION_BYTES = 256;

/** What syscalls leave in the record and the state. */
const SYSCALL_BYTES: Readonly<Partial<Record<SyscallName, number>>> = {
  // With the record of a constructor that is not there.
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

/** Counts a syscall. @throws {MemoryLimitReached} */
export function countSyscall({ memory }: ExecutionContext, name: SyscallName): void {
  const bytes = SYSCALL_BYTES[name];
  if (bytes !== undefined) memory.take(bytes);
}

/** Counts an event or a message. @throws {MemoryLimitReached} */
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

/** Lets felts be integers of the engine for a moment. @throws {MemoryLimitReached} */
export function checkIntegers({ memory }: ExecutionContext, felts: Felts): void {
  const bytes = felts.length * FELT_BYTES;
  memory.take(bytes);
  memory.give(bytes);
}

/** Drops what a failed inner call has emitted. */
export function dropEmissions({ memory }: ExecutionContext, record: CallRecord): void {
  memory.give(record.dropEmissions());
}

/** Counts a call that begins. @returns what its end is when there is no memory for it */
export function beginCall(context: ExecutionContext, calldata: Felts): CallResult | undefined {
  return context.memory.tryTake(RECORD_BYTES + blockBytes(calldata))
    ? undefined
    : outOfMemory(context);
}

/** The end of a call by used up memory: of the whole transaction, then. */
export function outOfMemory(context: ExecutionContext): CallResult {
  context.outOfMemory = true;
  return { kind: "error", error: messageError("OutOfMemory", context.memory.problem()) };
}

/** Drops an inner call's calldata once it has ended, unless a trace keeps it. */
export function dropCalldata(context: ExecutionContext, record: CallRecord): void {
  const { calldata } = record;
  if (!giveBack(context, calldata)) record.calldata = FeltBlock.EMPTY;
}

/** Counts what a call returns. @returns false when there is no memory for it */
export function takeResult({ memory, depth }: ExecutionContext, result: Felts): boolean {
  const bytes = blockBytes(result);
  // The outermost call's run is over: a permit would never be given back.
  return depth > 1 ? memory.tryTake(bytes) : memory.fits(bytes);
}

/** Drops an inner call's return data once the caller has it, unless a trace keeps it. Once a call. */
export function dropResult(context: ExecutionContext, record: CallRecord): void {
  const { result } = record;
  if (!giveBack(context, result)) record.result = FeltBlock.EMPTY;
}

/** The memory rule counts the felts no longer. @returns whether a trace keeps them all the same */
function giveBack({ memory, trace }: ExecutionContext, felts: Felts): boolean {
  memory.give(blockBytes(felts));
  if (trace?.keeps(felts) === true) return true;
  if (felts instanceof FeltBlock) felts.release();
  return false;
}

function blockBytes(felts: Felts): number {
  return felts instanceof FeltBlock ? felts.length * CELL_BYTES : 0;
}
