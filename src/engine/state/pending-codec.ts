import {
  type BlockInfo,
  readReceipt,
  readStateDiff,
  readTransaction,
  type ResourcePrice,
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
  writer.nullable(delta.info, writeInfo);
  writer.array(delta.transactions, writeTransaction);
  writer.array(delta.receipts, writeReceipt);
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
  const delta: PendingDelta = {
    blockNumber: reader.varint(),
    sequence: reader.varint(),
    sealed: reader.bool(),
    info: reader.nullable(readInfo),
    transactions: reader.array(readTransaction),
    receipts: reader.array(readReceipt),
    diff: readStateDiff(reader),
  };
  reader.end();
  return delta;
}

function writeInfo(writer: ByteWriter, info: BlockInfo): void {
  writer.varint(info.number);
  writer.varint(info.timestamp);
  writer.felt(info.sequencerAddress);
  writePrice(writer, info.gasPrices.l1Gas);
  writePrice(writer, info.gasPrices.l1DataGas);
  writePrice(writer, info.gasPrices.l2Gas);
  writer.bool(info.l1DaMode === "BLOB");
  writer.text(info.protocolVersion);
}

function readInfo(reader: ByteReader): BlockInfo {
  return {
    number: reader.varint(),
    timestamp: reader.varint(),
    sequencerAddress: reader.felt(),
    gasPrices: {
      l1Gas: readPrice(reader),
      l1DataGas: readPrice(reader),
      l2Gas: readPrice(reader),
    },
    l1DaMode: reader.bool() ? "BLOB" : "CALLDATA",
    protocolVersion: reader.text(),
  };
}

function writePrice(writer: ByteWriter, price: ResourcePrice): void {
  writer.uint(price.wei);
  writer.uint(price.fri);
}

function readPrice(reader: ByteReader): ResourcePrice {
  return { wei: reader.uint(128), fri: reader.uint(128) };
}
