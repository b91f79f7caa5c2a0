import {
  decodeStateDiff,
  encodeStateDiff,
  readBlockInfo,
  readBlockInputs,
  readEncodedClass,
  readReceipt,
  readTransaction,
  writeBlockInfo,
  writeBlockInputs,
  writeEncodedClass,
  writeReceipt,
  writeTransaction,
} from "#protocol/chain/index.ts";
import { ByteReader, ByteWriter } from "#base/codec/index.ts";
import type { LazyDelta, PendingDelta } from "./pending-block.ts";

/** Encodes a delta for transfer between threads: copying bytes is far cheaper than a structured clone. */
export function encodePendingDelta(delta: PendingDelta): Uint8Array<ArrayBuffer> {
  const { transactions } = delta;
  const contents = new ByteWriter(4096);
  contents.array(transactions, writeTransaction);
  contents.array(delta.receipts, writeReceipt);
  const writer = new ByteWriter(contents.length + 4096);
  writer.varint(delta.blockNumber);
  writer.varint(delta.sequence);
  writer.bool(delta.sealed);
  writer.nullable(delta.info, writeBlockInfo);
  writer.array(delta.classes, writeEncodedClass);
  writeBlockInputs(writer, { l1Messages: delta.l1Messages ?? [] });
  // Parts that some readers skip are length-prefixed or come last.
  writer.bytes(encodeStateDiff(delta.diff));
  writer.bytes(contents.finish());
  writer.felts(transactions.map(({ hash }) => hash));
  return writer.finish();
}

/**
 * Decodes the output of {@link encodePendingDelta}.
 *
 * @throws {DecodeError} when the bytes are not a delta
 */
export function decodePendingDelta(bytes: Uint8Array): PendingDelta {
  const { hashes: _, contents, ...head } = decodeLazyDelta(bytes);
  return { ...head, ...contents() };
}

/**
 * Decodes a delta except for its state diff, which is the most expensive part.
 *
 * @throws {DecodeError} when the bytes do not begin as a delta
 */
export function decodeDeltaContents(bytes: Uint8Array): DeltaContents {
  const reader = new ByteReader(bytes, "delta");
  const head = readHead(reader);
  reader.bytes();
  return { ...head, ...decodeContents(reader.bytes()) };
}

/**
 * Decodes a delta except for its transactions and receipts, which are decoded on demand.
 *
 * @throws {DecodeError} when the bytes are not a delta; `contents()` throws it for malformed contents
 */
export function decodeLazyDelta(bytes: Uint8Array): LazyDelta {
  const reader = new ByteReader(bytes, "delta");
  const head = readHead(reader);
  const diff = decodeStateDiff(reader.bytes());
  const contents = reader.bytes();
  const hashes = reader.felts();
  reader.end();
  return { ...head, diff, hashes, contents: () => decodeContents(contents) };
}

/** Delta without its state diff. */
export type DeltaContents = Omit<PendingDelta, "diff">;

function readHead(reader: ByteReader): Omit<DeltaContents, "transactions" | "receipts"> {
  const head = {
    blockNumber: reader.varint(),
    sequence: reader.varint(),
    sealed: reader.bool(),
    info: reader.nullable(readBlockInfo),
    classes: reader.array(readEncodedClass),
  };
  const { l1Messages } = readBlockInputs(reader);
  return l1Messages.length === 0 ? head : { ...head, l1Messages };
}

function decodeContents(bytes: Uint8Array): Pick<PendingDelta, "transactions" | "receipts"> {
  const reader = new ByteReader(bytes, "delta");
  const transactions = reader.array(readTransaction);
  const receipts = reader.array(readReceipt);
  reader.end();
  return { transactions, receipts };
}
