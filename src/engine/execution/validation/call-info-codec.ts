import { BUILTIN_NAMES, SYSCALL_NAMES, type SyscallName } from "#protocol/versions/index.ts";
import type { EntryPointType } from "#protocol/chain/index.ts";
import type { ByteReader, ByteWriter } from "#base/codec/index.ts";
import { type Felts, feltsOf } from "#kernels/vm/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { CallInfo, OrderedEvent, OrderedMessage, SyscallUsage } from "../call/info.ts";
import type { PrimitiveName } from "../resources.ts";

// Members of one kind are written as lists. Few write sites keep the compiled code small, which matters more
// here than the counts that could be omitted.

const ENTRY_POINT_TYPES = [
  "EXTERNAL",
  "L1_HANDLER",
  "CONSTRUCTOR",
] as const satisfies readonly EntryPointType[];

/** The entry point type uses the two lowest bits. */
const FLAG_DELEGATE = 4;
const FLAG_FAILED = 8;
const FLAG_BY_STEPS = 16;
/** Set when the calldata equals the transaction's, which the reader has. */
const FLAG_SAME_CALLDATA = 32;
const FLAGS = 64;

/** Number of felt lists written per call, in fixed order. */
const LIST_COUNT = 8;

/**
 * Encodes a call with its inner calls.
 *
 * @param calldata - felts that the reader has: the same array is omitted
 */
export function writeCall(writer: ByteWriter, call: CallInfo, calldata: Felts | undefined): void {
  const isKnown = call.calldata === calldata;
  const { codeAddress, vmResources } = call;
  writer.u8(
    ENTRY_POINT_TYPES.indexOf(call.entryPointType) |
      (call.callType === "DELEGATE" ? FLAG_DELEGATE : 0) |
      (call.failed ? FLAG_FAILED : 0) |
      (call.trackedResource === "cairo_steps" ? FLAG_BY_STEPS : 0) |
      (isKnown ? FLAG_SAME_CALLDATA : 0),
  );
  const lists: readonly (readonly Felt[])[] = [
    [
      call.contractAddress,
      call.classHash,
      call.entryPointSelector,
      call.callerAddress,
      call.initialGas,
      call.gasConsumed,
      ...(codeAddress === null ? [] : [codeAddress]),
    ],
    isKnown ? [] : feltsOf(call.calldata),
    feltsOf(call.result),
    call.storageReadValues,
    [...call.accessedStorageKeys],
    call.readClassHashValues,
    [...call.accessedContractAddresses],
    call.readBlockHashValues,
  ];
  for (const list of lists) writer.felts(list);
  writeNumbers(writer, [vmResources.steps, vmResources.memoryHoles, vmResources.blake ?? 0]);
  writeNumbers(writer, countersOf(vmResources.builtins));
  writeNumbers(writer, countersOf(call.primitiveCounters));
  writeNumbers(writer, usagesOf(call.syscalls));
  writeNumbers(writer, [...call.accessedBlocks]);
  writer.array(call.events, writeEvent);
  writer.array(call.messages, writeMessage);
  writer.array(call.innerCalls, writeInnerCall);
}

function writeInnerCall(writer: ByteWriter, call: CallInfo): void {
  writeCall(writer, call, undefined);
}

/** Decodes the output of {@link writeCall}. */
export function readCall(reader: ByteReader, calldata: readonly Felt[]): CallInfo {
  const flags = reader.index(FLAGS, "flags of a call");
  const lists: Felt[][] = [];
  for (let i = 0; i < LIST_COUNT; i++) lists.push(reader.felts());
  const list = (index: number): Felt[] => lists[index] ?? reader.fail("list of felts");
  const heads = list(0);
  const head = (index: number): Felt => heads[index] ?? reader.fail("head of a call");
  const [steps = 0, memoryHoles = 0, blake = 0] = readNumbers(reader);
  return {
    entryPointType: ENTRY_POINT_TYPES[flags & 3] ?? reader.fail("entry point type"),
    callType: (flags & FLAG_DELEGATE) === 0 ? "CALL" : "DELEGATE",
    failed: (flags & FLAG_FAILED) !== 0,
    trackedResource: (flags & FLAG_BY_STEPS) === 0 ? "sierra_gas" : "cairo_steps",
    contractAddress: head(0),
    classHash: head(1),
    entryPointSelector: head(2),
    callerAddress: head(3),
    initialGas: head(4),
    gasConsumed: head(5),
    codeAddress: heads[6] ?? null,
    calldata: (flags & FLAG_SAME_CALLDATA) === 0 ? list(1) : calldata,
    result: list(2),
    storageReadValues: list(3),
    accessedStorageKeys: new Set(list(4)),
    readClassHashValues: list(5),
    accessedContractAddresses: new Set(list(6)),
    readBlockHashValues: list(7),
    vmResources: {
      steps,
      memoryHoles,
      builtins: countersFrom(readNumbers(reader)),
      ...(blake > 0 ? { blake } : {}),
    },
    primitiveCounters: countersFrom(readNumbers(reader)),
    syscalls: usagesFrom(readNumbers(reader)),
    accessedBlocks: new Set(readNumbers(reader)),
    events: reader.array(readEvent),
    messages: reader.array(readMessage),
    innerCalls: reader.array((r) => readCall(r, calldata)),
  };
}

/** Writes a count, followed by that many integers below 2^53. */
export function writeNumbers(writer: ByteWriter, numbers: readonly number[]): void {
  writer.varint(numbers.length);
  for (const number of numbers) writer.varint(number);
}

/** Reads the output of {@link writeNumbers}. */
export function readNumbers(reader: ByteReader): number[] {
  const numbers: number[] = [];
  for (let left = reader.count(); left > 0; left--) numbers.push(reader.varint());
  return numbers;
}

type Counters = CallInfo["primitiveCounters"];

/** The Blake2s instruction is numbered after the builtins. */
const PRIMITIVES: readonly PrimitiveName[] = [...BUILTIN_NAMES, "blake"];

/** Flattens counters to pairs of a primitive's number and its count. */
function countersOf(counters: Counters): number[] {
  const numbers: number[] = [];
  for (const name in counters) {
    const primitive = name as PrimitiveName;
    numbers.push(PRIMITIVES.indexOf(primitive), counters[primitive] ?? 0);
  }
  return numbers;
}

function countersFrom(numbers: readonly number[]): Counters {
  const counters: Partial<Record<PrimitiveName, number>> = {};
  for (let i = 0; i + 1 < numbers.length; i += 2) {
    const name = PRIMITIVES[numbers[i] as number];
    if (name !== undefined) counters[name] = numbers[i + 1] as number;
  }
  return counters;
}

/** Flattens usages to triples of a syscall's number, its calls, and the sum of its linear factors. */
function usagesOf(syscalls: CallInfo["syscalls"]): number[] {
  const numbers: number[] = [];
  for (const [name, { calls, linear }] of syscalls) {
    numbers.push(SYSCALL_NAMES.indexOf(name), calls, linear);
  }
  return numbers;
}

function usagesFrom(numbers: readonly number[]): Map<SyscallName, SyscallUsage> {
  const syscalls = new Map<SyscallName, SyscallUsage>();
  for (let i = 0; i + 2 < numbers.length; i += 3) {
    const name = SYSCALL_NAMES[numbers[i] as number];
    if (name === undefined) continue;
    syscalls.set(name, { calls: numbers[i + 1] as number, linear: numbers[i + 2] as number });
  }
  return syscalls;
}

function writeEvent(writer: ByteWriter, { order, keys, data }: OrderedEvent): void {
  writer.varint(order);
  writer.felts(keys);
  writer.felts(data);
}

function readEvent(reader: ByteReader): OrderedEvent {
  return { order: reader.varint(), keys: reader.felts(), data: reader.felts() };
}

function writeMessage(writer: ByteWriter, { order, toAddress, payload }: OrderedMessage): void {
  writer.varint(order);
  writer.felts([toAddress, ...payload]);
}

function readMessage(reader: ByteReader): OrderedMessage {
  const order = reader.varint();
  const [toAddress = reader.fail("recipient of a message"), ...payload] = reader.felts();
  return { order, toAddress, payload };
}
