import type { ByteReader, ByteWriter } from "#base/codec/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { BlockHeader } from "../block.ts";
import { readBlockConditions, writeBlockConditions } from "./block-info.ts";
import { decodeExact, encodeExact } from "./whole.ts";

/** L1 message that a block consumed, with its origin. The transaction itself is in the block. */
export interface ConsumedL1Message {
  readonly transactionHash: Felt;
  /** Nonce that the core contract assigned; unique per core contract. */
  readonly nonce: bigint;
  /** Hash of the message in the core contract (Keccak-256 as an integer). */
  readonly messageHash: bigint;
  /** Hash of the sending L1 transaction, as an integer; `null` when unknown. */
  readonly l1TransactionHash: bigint | null;
  /** L1 block of that transaction; `null` when unknown. */
  readonly l1BlockNumber: number | null;
}

/**
 * Inputs of a block that are neither in its header (timestamp, gas prices, sequencer, versions) nor implied
 * by the order of its transactions.
 */
export interface BlockInputs {
  readonly l1Messages: readonly ConsumedL1Message[];
}

/** Writes a header. */
export function writeHeader(writer: ByteWriter, header: BlockHeader): void {
  writer.varint(header.number);
  writer.felt(header.hash);
  writer.felt(header.parentHash);
  writer.felt(header.newRoot);
  writeBlockConditions(writer, header);
  writer.felt(header.transactionCommitment);
  writer.felt(header.eventCommitment);
  writer.felt(header.receiptCommitment);
  writer.felt(header.stateDiffCommitment);
  writer.varint(header.transactionCount);
  writer.varint(header.eventCount);
  writer.varint(header.stateDiffLength);
}

/** Reads what {@link writeHeader} wrote. */
export function readHeader(reader: ByteReader): BlockHeader {
  return {
    number: reader.varint(),
    hash: reader.felt(),
    parentHash: reader.felt(),
    newRoot: reader.felt(),
    ...readBlockConditions(reader),
    transactionCommitment: reader.felt(),
    eventCommitment: reader.felt(),
    receiptCommitment: reader.felt(),
    stateDiffCommitment: reader.felt(),
    transactionCount: reader.varint(),
    eventCount: reader.varint(),
    stateDiffLength: reader.varint(),
  };
}

/** Writes the inputs of a block. */
export function writeBlockInputs(writer: ByteWriter, inputs: BlockInputs): void {
  writer.array(inputs.l1Messages, (w, message) => {
    w.felt(message.transactionHash);
    w.uint(message.nonce);
    w.uint(message.messageHash);
    w.nullable(message.l1TransactionHash, (v, hash) => v.uint(hash));
    w.nullable(message.l1BlockNumber, (v, number) => v.varint(number));
  });
}

/** Reads what {@link writeBlockInputs} wrote. */
export function readBlockInputs(reader: ByteReader): BlockInputs {
  return {
    l1Messages: reader.array((r) => ({
      transactionHash: r.felt(),
      nonce: r.uint(256),
      messageHash: r.uint(256),
      l1TransactionHash: r.nullable((v) => v.uint(256)),
      l1BlockNumber: r.nullable((v) => v.varint()),
    })),
  };
}

/** Encodes a header. */
export function encodeHeader(header: BlockHeader): Uint8Array<ArrayBuffer> {
  return encodeExact(header, writeHeader, 512);
}

/**
 * Decodes the bytes of {@link encodeHeader}.
 *
 * @throws {DecodeError} when the bytes are not exactly one canonical header
 */
export function decodeHeader(bytes: Uint8Array): BlockHeader {
  return decodeExact(bytes, "header", readHeader);
}

/** Encodes the inputs of a block. */
export function encodeBlockInputs(inputs: BlockInputs): Uint8Array<ArrayBuffer> {
  return encodeExact(inputs, writeBlockInputs);
}

/**
 * Decodes the bytes of {@link encodeBlockInputs}.
 *
 * @throws {DecodeError} when the bytes are not exactly one canonical value
 */
export function decodeBlockInputs(bytes: Uint8Array): BlockInputs {
  return decodeExact(bytes, "inputs", readBlockInputs);
}
