import {
  readBlockInfo,
  readEncodedClass,
  readReceipt,
  readStateDiff,
  readTransaction,
  writeBlockInfo,
  writeEncodedClass,
  writeReceipt,
  writeStateDiff,
  writeTransaction,
} from "#protocol/chain/index.ts";
import { ByteReader, ByteWriter } from "#base/codec/index.ts";
import type { PendingDelta } from "./pending-overlay.ts";

/** A delta as bytes, for the way between threads: a copy of bytes is far cheaper than a clone. */
export function encodePendingDelta(delta: PendingDelta): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter(4096);
  writer.varint(delta.blockNumber);
  writer.varint(delta.sequence);
  writer.bool(delta.sealed);
  writer.nullable(delta.info, writeBlockInfo);
  writer.array(delta.transactions, writeTransaction);
  writer.array(delta.receipts, writeReceipt);
  writeStateDiff(writer, delta.diff);
  writer.array(delta.classes, writeEncodedClass);
  return writer.finish();
}

/**
 * Reads what {@link encodePendingDelta} wrote.
 *
 * @throws {DecodeError} when the bytes are not a delta
 */
export function decodePendingDelta(bytes: Uint8Array): PendingDelta {
  const reader = new ByteReader(bytes, "delta");
  const delta: PendingDelta = {
    blockNumber: reader.varint(),
    sequence: reader.varint(),
    sealed: reader.bool(),
    info: reader.nullable(readBlockInfo),
    transactions: reader.array(readTransaction),
    receipts: reader.array(readReceipt),
    diff: readStateDiff(reader),
    classes: reader.array(readEncodedClass),
  };
  reader.end();
  return delta;
}
