import { type ByteReader, ByteWriter } from "#base/codec/index.ts";
import { type Felt, FELT_BYTES } from "#base/primitives/index.ts";
import type { EncodedTransaction, HashedTransaction, Transaction } from "../transaction.ts";
import { readFields, type Tag, tagByteOf, TAGS, writeFields } from "./transaction-fields.ts";
import { decodeWhole } from "./whole.ts";

/** The hash of a transaction that was not hashed yet; no transaction has it. */
const UNHASHED: Felt = 0n;

/** Bytes of the tag and {@link UNHASHED}. */
const UNHASHED_HEAD = 2;

/** A transaction with its canonical bytes: those that it was read from. */
export function writeTransaction(writer: ByteWriter, { bytes }: EncodedTransaction): void {
  writer.raw(bytes);
}

/** Reads what {@link writeTransaction} wrote; the bytes are a view into the reader's. */
export function readTransaction(reader: ByteReader): EncodedTransaction {
  const start = reader.offset;
  const tag = TAGS[reader.index(TAGS.length, "transaction type")] as Tag;
  const hash = reader.felt();
  const transaction = readFields(reader, tag);
  return { hash, transaction, bytes: reader.since(start) };
}

/** The canonical bytes of a transaction: tag, hash, fields. */
export function encodeTransaction({
  hash,
  transaction,
}: HashedTransaction): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter(512);
  writeHead(writer, transaction, hash);
  writeFields(writer, transaction);
  return writer.finish();
}

/** A transaction that has just arrived as bytes, with an empty place for its hash. */
export function encodeUnhashed(transaction: Transaction): Uint8Array<ArrayBuffer> {
  return encodeTransaction({ hash: UNHASHED, transaction });
}

/** Whether a transaction has its hash; {@link encodeUnhashed} makes one that has not. */
export function isHashed({ hash }: HashedTransaction): boolean {
  return hash !== UNHASHED;
}

/**
 * The canonical bytes of a transaction that was encoded by {@link encodeUnhashed}: a copy with the hash
 * in its place.
 */
export function withHash({ transaction, bytes }: EncodedTransaction, hash: Felt): Uint8Array {
  const writer = new ByteWriter(bytes.length + FELT_BYTES);
  writeHead(writer, transaction, hash);
  writer.raw(bytes.subarray(UNHASHED_HEAD));
  return writer.finish();
}

/** A transaction with the bytes that {@link encodeTransaction} makes of it. */
export function encodedTransaction<T extends Transaction>(
  hashed: HashedTransaction<T>,
): EncodedTransaction<T> {
  return { ...hashed, bytes: encodeTransaction(hashed) };
}

/**
 * The transaction of {@link encodeTransaction}, which holds on to `bytes`. The hash is not recomputed.
 *
 * @throws {DecodeError} when the bytes are not exactly one canonical transaction
 */
export function decodeTransaction(bytes: Uint8Array): EncodedTransaction {
  return decodeWhole(bytes, "transaction", readTransaction);
}

function writeHead(writer: ByteWriter, transaction: Transaction, hash: Felt): void {
  writer.u8(tagByteOf(transaction));
  writer.felt(hash);
}
