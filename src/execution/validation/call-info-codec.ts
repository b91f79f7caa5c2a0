import { BUILTIN_NAMES, type BuiltinName, type EntryPointType } from "#chain/index.ts";
import type { ByteReader, ByteWriter } from "#codec/binary/index.ts";
import { SYSCALL_NAMES, type SyscallName } from "#config/index.ts";
import type { Felt } from "#primitives/index.ts";
import type { CallInfo, OrderedEvent, OrderedMessage, SyscallUsage } from "../types.ts";

const ENTRY_POINT_TYPES = [
  "EXTERNAL",
  "L1_HANDLER",
  "CONSTRUCTOR",
] as const satisfies readonly EntryPointType[];

const FLAG_DELEGATE = 4;
const FLAG_FAILED = 8;
const FLAG_BY_STEPS = 16;
/** The calldata is that of the surrounding transaction or call, which the reader has. */
const FLAG_SAME_CALLDATA = 32;
/** Entry point types take the two lowest bits. */
const FLAGS = 64;

/**
 * Writes a call with its inner calls.
 *
 * @param calldata - felts that the reader has: calldata equal to them is left out
 */
export function writeCall(
  writer: ByteWriter,
  call: CallInfo,
  calldata: readonly Felt[] | undefined,
): void {
  const isKnown = call.calldata === calldata;
  writer.u8(
    ENTRY_POINT_TYPES.indexOf(call.entryPointType) |
      (call.callType === "DELEGATE" ? FLAG_DELEGATE : 0) |
      (call.failed ? FLAG_FAILED : 0) |
      (call.trackedResource === "cairo_steps" ? FLAG_BY_STEPS : 0) |
      (isKnown ? FLAG_SAME_CALLDATA : 0),
  );
  writer.felt(call.contractAddress);
  writer.felt(call.classHash);
  writer.nullable(call.codeAddress, writeFelt);
  writer.felt(call.entryPointSelector);
  writer.felt(call.callerAddress);
  if (!isKnown) writer.felts(call.calldata);
  writer.felts(call.result);
  writer.uint(call.initialGas);
  writer.uint(call.gasConsumed);
  writer.varint(call.vmResources.steps);
  writer.varint(call.vmResources.memoryHoles);
  writeCounters(writer, call.vmResources.builtins);
  writeCounters(writer, call.builtinCounters);
  writer.varint(call.syscalls.size);
  for (const [name, usage] of call.syscalls) {
    writer.varint(SYSCALL_NAMES.indexOf(name));
    writer.varint(usage.calls);
    writer.varint(usage.linear);
  }
  writer.array(call.events, writeEvent);
  writer.array(call.messages, writeMessage);
  writer.felts(call.storageReadValues);
  writer.felts([...call.accessedStorageKeys]);
  writer.felts(call.readClassHashValues);
  writer.felts([...call.accessedContractAddresses]);
  writer.felts(call.readBlockHashValues);
  writer.array([...call.accessedBlocks], (w, number) => w.varint(number));
  writer.array(call.innerCalls, (w, inner) => writeCall(w, inner, undefined));
}

/** Reads what {@link writeCall} wrote. */
export function readCall(reader: ByteReader, calldata: readonly Felt[]): CallInfo {
  const flags = reader.index(FLAGS, "flags of a call");
  return {
    entryPointType: ENTRY_POINT_TYPES[flags & 3] ?? reader.fail("entry point type"),
    callType: (flags & FLAG_DELEGATE) === 0 ? "CALL" : "DELEGATE",
    failed: (flags & FLAG_FAILED) !== 0,
    trackedResource: (flags & FLAG_BY_STEPS) === 0 ? "sierra_gas" : "cairo_steps",
    contractAddress: reader.felt(),
    classHash: reader.felt(),
    codeAddress: reader.nullable(readFelt),
    entryPointSelector: reader.felt(),
    callerAddress: reader.felt(),
    calldata: (flags & FLAG_SAME_CALLDATA) === 0 ? reader.felts() : calldata,
    result: reader.felts(),
    initialGas: reader.uint(64),
    gasConsumed: reader.uint(64),
    vmResources: {
      steps: reader.varint(),
      memoryHoles: reader.varint(),
      builtins: readCounters(reader),
    },
    builtinCounters: readCounters(reader),
    syscalls: readSyscalls(reader),
    events: reader.array(readEvent),
    messages: reader.array(readMessage),
    storageReadValues: reader.felts(),
    accessedStorageKeys: new Set(reader.felts()),
    readClassHashValues: reader.felts(),
    accessedContractAddresses: new Set(reader.felts()),
    readBlockHashValues: reader.felts(),
    accessedBlocks: new Set(reader.array((r) => r.varint())),
    innerCalls: reader.array((r) => readCall(r, calldata)),
  };
}

function writeFelt(writer: ByteWriter, felt: Felt): void {
  writer.felt(felt);
}

function readFelt(reader: ByteReader): Felt {
  return reader.felt();
}

type Counters = Readonly<Partial<Record<BuiltinName, number>>>;

function writeCounters(writer: ByteWriter, counters: Counters): void {
  const names = Object.keys(counters) as BuiltinName[];
  writer.varint(names.length);
  for (const name of names) {
    writer.varint(BUILTIN_NAMES.indexOf(name));
    writer.varint(counters[name] ?? 0);
  }
}

function readCounters(reader: ByteReader): Counters {
  const counters: Partial<Record<BuiltinName, number>> = {};
  for (let left = reader.count(); left > 0; left--) {
    const name = BUILTIN_NAMES[reader.index(BUILTIN_NAMES.length, "builtin")] as BuiltinName;
    counters[name] = reader.varint();
  }
  return counters;
}

function readSyscalls(reader: ByteReader): Map<SyscallName, SyscallUsage> {
  const syscalls = new Map<SyscallName, SyscallUsage>();
  for (let left = reader.count(); left > 0; left--) {
    const name = SYSCALL_NAMES[reader.index(SYSCALL_NAMES.length, "syscall")] as SyscallName;
    syscalls.set(name, { calls: reader.varint(), linear: reader.varint() });
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
  writer.felt(toAddress);
  writer.felts(payload);
}

function readMessage(reader: ByteReader): OrderedMessage {
  return { order: reader.varint(), toAddress: reader.felt(), payload: reader.felts() };
}
