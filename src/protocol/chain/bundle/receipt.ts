import type { ByteReader, ByteWriter } from "#base/codec/index.ts";
import {
  BUILTIN_NAMES,
  type BuiltinName,
  type GasVector,
  type VmResources,
} from "#protocol/versions/index.ts";
import type { Event, ExecutionStatus, MessageToL1, Receipt } from "../receipt.ts";
import { decodeExact, encodeExact } from "./whole.ts";

const FLAG_FRI = 1;
const FLAG_REVERTED = 2;
const FLAG_IMPERSONATED = 4;

/** Writes a receipt. Unused builtins are omitted. */
export function writeReceipt(writer: ByteWriter, receipt: Receipt): void {
  const { status } = receipt;
  writer.felt(receipt.transactionHash);
  writer.u8(
    (receipt.feeUnit === "FRI" ? FLAG_FRI : 0) |
      (status.kind === "reverted" ? FLAG_REVERTED : 0) |
      (receipt.isImpersonated === true ? FLAG_IMPERSONATED : 0),
  );
  if (status.kind === "reverted") writer.text(status.reason);
  writer.uint(receipt.actualFee);
  writer.array(receipt.events, writeEvent);
  writer.array(receipt.messages, writeMessage);
  writeGas(writer, receipt.gas);
  writeGas(writer, receipt.daGas);
  writeResources(writer, receipt.vmResources);
}

/** Reads what {@link writeReceipt} wrote. */
export function readReceipt(reader: ByteReader): Receipt {
  const transactionHash = reader.felt();
  const flags = reader.index(8, "receipt flags");
  const status: ExecutionStatus =
    (flags & FLAG_REVERTED) === 0
      ? { kind: "succeeded" }
      : { kind: "reverted", reason: reader.text() };
  return {
    transactionHash,
    feeUnit: (flags & FLAG_FRI) === 0 ? "WEI" : "FRI",
    status,
    actualFee: reader.uint(128),
    events: reader.array(readEvent),
    messages: reader.array(readMessage),
    gas: readGas(reader),
    daGas: readGas(reader),
    vmResources: readResources(reader),
    ...((flags & FLAG_IMPERSONATED) === 0 ? {} : { isImpersonated: true }),
  };
}

/** Encodes a receipt. */
export function encodeReceipt(receipt: Receipt): Uint8Array<ArrayBuffer> {
  return encodeExact(receipt, writeReceipt, 512);
}

/**
 * Decodes the bytes of {@link encodeReceipt}.
 *
 * @throws {DecodeError} when the bytes are not exactly one canonical receipt
 */
export function decodeReceipt(bytes: Uint8Array): Receipt {
  return decodeExact(bytes, "receipt", readReceipt);
}

function writeEvent(writer: ByteWriter, event: Event): void {
  writer.felt(event.fromAddress);
  writer.felts(event.keys);
  writer.felts(event.data);
}

function readEvent(reader: ByteReader): Event {
  return { fromAddress: reader.felt(), keys: reader.felts(), data: reader.felts() };
}

function writeMessage(writer: ByteWriter, message: MessageToL1): void {
  writer.felt(message.fromAddress);
  writer.felt(message.toAddress);
  writer.felts(message.payload);
}

function readMessage(reader: ByteReader): MessageToL1 {
  return { fromAddress: reader.felt(), toAddress: reader.felt(), payload: reader.felts() };
}

function writeGas(writer: ByteWriter, gas: GasVector): void {
  writer.uint(gas.l1Gas);
  writer.uint(gas.l1DataGas);
  writer.uint(gas.l2Gas);
}

function readGas(reader: ByteReader): GasVector {
  return { l1Gas: reader.uint(128), l1DataGas: reader.uint(128), l2Gas: reader.uint(128) };
}

/**
 * Writes one bit per used builtin in the order of {@link BUILTIN_NAMES}, one for Blake, then the counters.
 */
function writeResources(writer: ByteWriter, resources: VmResources): void {
  writer.varint(resources.steps);
  writer.varint(resources.memoryHoles);
  const counters = BUILTIN_NAMES.map((name) => resources.builtins[name] ?? 0);
  counters.push(resources.blake ?? 0);
  writer.varint(counters.reduce((mask, count, i) => (count === 0 ? mask : mask | (1 << i)), 0));
  for (const count of counters) if (count !== 0) writer.varint(count);
}

function readResources(reader: ByteReader): VmResources {
  const steps = reader.varint();
  const memoryHoles = reader.varint();
  const mask = reader.index(2 << BUILTIN_NAMES.length, "set of builtins");
  const builtins: Partial<Record<BuiltinName, number>> = {};
  BUILTIN_NAMES.forEach((name, i) => {
    if ((mask & (1 << i)) !== 0) builtins[name] = readCounter(reader);
  });
  const resources = { steps, memoryHoles, builtins };
  if (mask < 1 << BUILTIN_NAMES.length) return resources;
  return { ...resources, blake: readCounter(reader) };
}

function readCounter(reader: ByteReader): number {
  const at = reader.offset;
  const count = reader.varint();
  if (count === 0) reader.fail("counter above 0", at);
  return count;
}
