import { ByteReader, ByteWriter } from "#codec/binary/index.ts";
import type { Felt } from "#primitives/index.ts";
import type { ReadSet } from "#state/index.ts";
import { readCall, writeCall } from "./call-info-codec.ts";
import type { PrevalidatedCall, ValidationEnvironment } from "./prevalidated.ts";

/**
 * A validation as bytes, for the way between threads. What the transaction itself holds is left out
 * of the call: the reader needs the same transaction.
 */
export function encodePrevalidated({
  environment,
  reads,
  call,
}: PrevalidatedCall): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter(768);
  writeEnvironment(writer, environment);
  writeReads(writer, reads);
  writeCall(writer, call, call.calldata);
  return writer.finish();
}

/**
 * Reads what {@link encodePrevalidated} wrote.
 *
 * @param calldata - calldata of the transaction
 * @throws {DecodeError} when the bytes are not a validation
 */
export function decodePrevalidated(bytes: Uint8Array, calldata: readonly Felt[]): PrevalidatedCall {
  const reader = new ByteReader(bytes, "prevalidated");
  const environment = readEnvironment(reader);
  const reads = readReads(reader);
  const call = readCall(reader, calldata);
  reader.end();
  return { environment, reads, call };
}

function writeEnvironment(writer: ByteWriter, environment: ValidationEnvironment): void {
  writer.felt(environment.transactionHash);
  writer.felts(environment.signature);
  writer.bool(environment.onlyQuery);
  writer.text(environment.protocolVersion);
  writer.felt(environment.chainId);
  writer.varint(environment.blockNumber);
  writer.varint(environment.timestamp);
  writer.varint(environment.initialGas);
  writer.varint(environment.maxSteps);
}

function readEnvironment(reader: ByteReader): ValidationEnvironment {
  return {
    transactionHash: reader.felt(),
    signature: reader.felts(),
    onlyQuery: reader.bool(),
    protocolVersion: reader.text(),
    chainId: reader.felt(),
    blockNumber: reader.varint(),
    timestamp: reader.varint(),
    initialGas: reader.varint(),
    maxSteps: reader.varint(),
  };
}

function writeReads(writer: ByteWriter, reads: ReadSet): void {
  writer.varint(reads.storage.size);
  for (const [address, cells] of reads.storage) {
    writer.felt(address);
    writeMap(writer, cells);
  }
  writeMap(writer, reads.nonces);
  writeMap(writer, reads.classHashes);
  writeMap(writer, reads.compiledClassHashes);
  writer.varint(reads.classes.size);
  for (const [classHash, isDeclared] of reads.classes) {
    writer.felt(classHash);
    writer.bool(isDeclared);
  }
}

function readReads(reader: ByteReader): ReadSet {
  return {
    storage: readMap(reader, readFelts),
    nonces: readFelts(reader),
    classHashes: readFelts(reader),
    compiledClassHashes: readFelts(reader),
    classes: readMap(reader, (r) => r.bool()),
  };
}

function writeMap(writer: ByteWriter, map: ReadonlyMap<Felt, Felt>): void {
  writer.varint(map.size);
  for (const [key, value] of map) {
    writer.felt(key);
    writer.felt(value);
  }
}

function readFelts(reader: ByteReader): Map<Felt, Felt> {
  return readMap(reader, (r) => r.felt());
}

function readMap<V>(reader: ByteReader, readValue: (reader: ByteReader) => V): Map<Felt, V> {
  const map = new Map<Felt, V>();
  for (let left = reader.count(); left > 0; left--) map.set(reader.felt(), readValue(reader));
  return map;
}
