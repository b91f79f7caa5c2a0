import { type ByteReader, ByteWriter } from "#base/codec/index.ts";
import { type Felt, FELT_BYTES } from "#base/primitives/index.ts";
import type { EncodedTransaction, HashedTransaction, Transaction } from "../transaction.ts";
import { readFields, type Tag, tagByteOf, TAGS, writeFields } from "./transaction-fields.ts";
import { decodeExact } from "./whole.ts";

/** Placeholder hash; no transaction has it. */
const UNHASHED: Felt = 0n;

/** Number of bytes of the tag and {@link UNHASHED}. */
const UNHASHED_HEAD = 2;

/** Writes a transaction by its canonical bytes. */
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

/** Returns the canonical bytes of a transaction: tag, hash, fields. */
export function encodeTransaction({
  hash,
  transaction,
}: HashedTransaction): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter(512);
  writeHead(writer, transaction, hash);
  writeFields(writer, transaction);
  return writer.finish();
}

/** Encodes a received transaction with a placeholder for its hash. */
export function encodeUnhashed(transaction: Transaction): Uint8Array<ArrayBuffer> {
  return encodeTransaction({ hash: UNHASHED, transaction });
}

/** Whether a transaction has its hash; one from {@link encodeUnhashed} has not. */
export function isHashed({ hash }: HashedTransaction): boolean {
  return hash !== UNHASHED;
}

/** Returns a copy of the bytes of {@link encodeUnhashed} with the hash in place. */
export function withHash({ transaction, bytes }: EncodedTransaction, hash: Felt): Uint8Array {
  const writer = new ByteWriter(bytes.length + FELT_BYTES);
  writeHead(writer, transaction, hash);
  writer.raw(bytes.subarray(UNHASHED_HEAD));
  return writer.finish();
}

/** Adds the bytes of {@link encodeTransaction}. */
export function encodedTransaction<T extends Transaction>(
  hashed: HashedTransaction<T>,
): EncodedTransaction<T> {
  return { ...hashed, bytes: encodeTransaction(hashed) };
}

/**
 * Decodes the bytes of {@link encodeTransaction}; the result retains `bytes`. The hash is not recomputed.
 *
 * @throws {DecodeError} when the bytes are not exactly one canonical transaction
 */
export function decodeTransaction(bytes: Uint8Array): EncodedTransaction {
  return decodeExact(bytes, "transaction", readTransaction);
}

function writeHead(writer: ByteWriter, transaction: Transaction, hash: Felt): void {
  writer.u8(tagByteOf(transaction));
  writer.felt(hash);
}
