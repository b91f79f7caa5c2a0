import { ByteReader, ByteWriter } from "#base/codec/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { ReadSet } from "#engine/state/index.ts";
import { readCall, readNumbers, writeCall, writeNumbers } from "./call-info-codec.ts";
import type { PrevalidatedCall, ValidationEnvironment } from "./prevalidated.ts";

/**
 * Encodes a validation for transfer between threads. Data that the transaction itself contains is omitted
 * from the call: the reader needs the same transaction.
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
 * Decodes the output of {@link encodePrevalidated}.
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
  const { transactionHash, chainId, signature, onlyQuery, blockNumber } = environment;
  const { timestamp, initialGas, maxSteps, protocolVersion } = environment;
  writer.felts([transactionHash, chainId, ...signature]);
  writeNumbers(writer, [onlyQuery ? 1 : 0, blockNumber, timestamp, initialGas, maxSteps]);
  writer.text(protocolVersion);
}

function readEnvironment(reader: ByteReader): ValidationEnvironment {
  const [transactionHash = 0n, chainId = 0n, ...signature] = reader.felts();
  const [onlyQuery, blockNumber = 0, timestamp = 0, initialGas = 0, maxSteps = 0] =
    readNumbers(reader);
  return {
    transactionHash,
    chainId,
    signature,
    onlyQuery: onlyQuery === 1,
    blockNumber,
    timestamp,
    initialGas,
    maxSteps,
    protocolVersion: reader.text(),
  };
}

/**
 * Writes each map as one list of felts; in the storage list, address and count precede a contract's cells.
 */
function writeReads(writer: ByteWriter, reads: ReadSet): void {
  const storage: Felt[] = [];
  for (const [address, cells] of reads.storage) {
    storage.push(address, BigInt(cells.size), ...pairsOf(cells));
  }
  const classes: Felt[] = [];
  for (const [classHash, isDeclared] of reads.classes)
    classes.push(classHash, isDeclared ? 1n : 0n);
  const { nonces, classHashes, compiledClassHashes } = reads;
  for (const list of [
    storage,
    pairsOf(nonces),
    pairsOf(classHashes),
    pairsOf(compiledClassHashes),
    classes,
  ]) {
    writer.felts(list);
  }
}

function readReads(reader: ByteReader): ReadSet {
  const cells = reader.felts();
  const storage = new Map<Felt, ReadonlyMap<Felt, Felt>>();
  for (let i = 0; i + 1 < cells.length;) {
    const end = i + 2 + 2 * Number(cells[i + 1]);
    storage.set(cells[i] as Felt, mapFrom(cells.slice(i + 2, end)));
    i = end;
  }
  const nonces = mapFrom(reader.felts());
  const classHashes = mapFrom(reader.felts());
  const compiledClassHashes = mapFrom(reader.felts());
  const classes = new Map<Felt, boolean>();
  for (const [classHash, isDeclared] of mapFrom(reader.felts())) {
    classes.set(classHash, isDeclared === 1n);
  }
  return { storage, nonces, classHashes, compiledClassHashes, classes };
}

/** Alternating keys and values. */
function pairsOf(map: ReadonlyMap<Felt, Felt>): Felt[] {
  const pairs: Felt[] = [];
  for (const [key, value] of map) pairs.push(key, value);
  return pairs;
}

function mapFrom(pairs: readonly Felt[]): Map<Felt, Felt> {
  const map = new Map<Felt, Felt>();
  for (let i = 0; i + 1 < pairs.length; i += 2) map.set(pairs[i] as Felt, pairs[i + 1] as Felt);
  return map;
}
