import { ByteReader, ByteWriter } from "#base/codec/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import {
  type ClassContents,
  decodeHeader,
  encodedTransaction,
  encodeHeader,
  readReceipt,
  readTransaction,
  writeReceipt,
  writeTransaction,
} from "#protocol/chain/index.ts";
import type { OriginBlock, TransactionLocation } from "#engine/state/index.ts";

/** Class of the origin with its code. */
export interface OriginClass extends ClassContents {
  /** Compiled class hash in the state of the queried block; 0 for a Cairo 0 class. */
  readonly compiledClassHash: Felt;
}

/** Encodes the value of a `block` query. */
export function encodeOriginBlock({ header, transactions, receipts }: OriginBlock): Uint8Array {
  const writer = new ByteWriter(4096);
  writer.bytes(encodeHeader(header));
  writer.array(transactions, (w, each) => writeTransaction(w, encodedTransaction(each)));
  writer.array(receipts, writeReceipt);
  return writer.finish();
}

/**
 * Decodes the value of a `block` query.
 *
 * @throws {DecodeError} when the bytes are not of {@link encodeOriginBlock}
 */
export function decodeOriginBlock(bytes: Uint8Array): OriginBlock {
  const reader = new ByteReader(bytes, "origin block");
  const header = decodeHeader(reader.bytes());
  const transactions = reader.array(readTransaction);
  const receipts = reader.array(readReceipt);
  reader.end();
  return { header, transactions, receipts };
}

/** Encodes the value of a `class` query. */
export function encodeOriginClass(origin: OriginClass): Uint8Array {
  const writer = new ByteWriter(origin.contractClass.length + 64);
  writer.bytes(origin.contractClass);
  writer.nullable(origin.casmJson, (w, json) => w.text(json));
  writer.felt(origin.compiledClassHash);
  return writer.finish();
}

/**
 * Decodes the value of a `class` query.
 *
 * @throws {DecodeError} when the bytes are not of {@link encodeOriginClass}
 */
export function decodeOriginClass(bytes: Uint8Array): OriginClass {
  const reader = new ByteReader(bytes, "origin class");
  const contractClass = reader.bytes();
  const casmJson = reader.nullable((r) => r.text());
  const compiledClassHash = reader.felt();
  reader.end();
  return { contractClass, casmJson, compiledClassHash };
}

/** Encodes the value of a `locate` query. */
export function encodeLocation({ blockNumber, index }: TransactionLocation): Uint8Array {
  return encodeNumbers([blockNumber, index]);
}

/**
 * Decodes the value of a `locate` query.
 *
 * @throws {DecodeError} when the bytes are not of {@link encodeLocation}
 */
export function decodeLocation(bytes: Uint8Array): TransactionLocation {
  const [blockNumber = 0, index = 0] = decodeNumbers(bytes, 2);
  return { blockNumber, index };
}

/** Encodes the value of a query for a block number: `numberByHash`, `l1Accepted`. */
export function encodeNumber(value: number): Uint8Array {
  return encodeNumbers([value]);
}

/**
 * Decodes the value of a query for a block number: `numberByHash`, `l1Accepted`.
 *
 * @throws {DecodeError} when the bytes are not of {@link encodeNumber}
 */
export function decodeNumber(bytes: Uint8Array): number {
  const [value = 0] = decodeNumbers(bytes, 1);
  return value;
}

function encodeNumbers(values: readonly number[]): Uint8Array {
  const writer = new ByteWriter(16);
  for (const value of values) writer.varint(value);
  return writer.finish();
}

function decodeNumbers(bytes: Uint8Array, count: number): number[] {
  const reader = new ByteReader(bytes, "origin numbers");
  const values = Array.from({ length: count }, () => reader.varint());
  reader.end();
  return values;
}
