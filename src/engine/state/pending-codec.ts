import {
  readBlockInfo,
  readBlockInputs,
  readEncodedClass,
  readReceipt,
  readStateDiff,
  readTransaction,
  writeBlockInfo,
  writeBlockInputs,
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
  writer.array(delta.classes, writeEncodedClass);
  writeBlockInputs(writer, { l1Messages: delta.l1Messages ?? [] });
  // Last, for those who leave it out.
  writeStateDiff(writer, delta.diff);
  return writer.finish();
}

/**
 * Reads what {@link encodePendingDelta} wrote.
 *
 * @throws {DecodeError} when the bytes are not a delta
 */
export function decodePendingDelta(bytes: Uint8Array): PendingDelta {
  const reader = new ByteReader(bytes, "delta");
  const contents = readContents(reader);
  const diff = readStateDiff(reader);
  reader.end();
  return { ...contents, diff };
}

/**
 * Reads what {@link encodePendingDelta} wrote but for the state diff, which is most of the work.
 *
 * @throws {DecodeError} when the bytes do not begin as a delta
 */
export function decodeDeltaContents(bytes: Uint8Array): DeltaContents {
  return readContents(new ByteReader(bytes, "delta"));
}

/** A delta without what it changes. */
export type DeltaContents = Omit<PendingDelta, "diff">;

function readContents(reader: ByteReader): DeltaContents {
  const contents: DeltaContents = {
    blockNumber: reader.varint(),
    sequence: reader.varint(),
    sealed: reader.bool(),
    info: reader.nullable(readBlockInfo),
    transactions: reader.array(readTransaction),
    receipts: reader.array(readReceipt),
    classes: reader.array(readEncodedClass),
  };
  const { l1Messages } = readBlockInputs(reader);
  return l1Messages.length === 0 ? contents : { ...contents, l1Messages };
}
