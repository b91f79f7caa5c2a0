import { constants, zstdCompressSync } from "node:zlib";
import { ByteReader, ByteWriter } from "#base/codec/index.ts";
import { InvariantError } from "#base/errors/index.ts";

/** Transactions per row: enough to compress well, few enough to read a single one quickly. */
export const CHUNK_SIZE = 32;

/**
 * A frame ends with the low 32 bits of XXH64 of its content, which decompression verifies (RFC 8878,
 * section 3.1.1). No hash of a block covers the execution resources in receipts; the checksum does.
 */
const WITH_CHECKSUM = { params: { [constants.ZSTD_c_checksumFlag]: 1 } };

const CHUNKS_PER_BLOCK = 2 ** 13;
const LOCATIONS_PER_BLOCK = CHUNKS_PER_BLOCK * CHUNK_SIZE;

/** Whether a block can have a transaction at `index`; larger values collide with rows of the next block. */
export function isIndexInBlock(index: number): boolean {
  return index >= 0 && index < LOCATIONS_PER_BLOCK;
}

/** Returns the row id of a chunk of a block. */
export function chunkId(blockNumber: number, chunk: number): number {
  return blockNumber * CHUNKS_PER_BLOCK + chunk;
}

/** Encodes the `location` column of a transaction. */
export function packLocation(blockNumber: number, index: number): number {
  if (!isIndexInBlock(index)) throw new InvariantError("too many transactions in a block");
  return blockNumber * LOCATIONS_PER_BLOCK + index;
}

/** Decodes a `location` column. */
export function unpackLocation(location: bigint): { blockNumber: number; index: number } {
  const value = Number(location);
  return {
    blockNumber: Math.floor(value / LOCATIONS_PER_BLOCK),
    index: value % LOCATIONS_PER_BLOCK,
  };
}

/** Encoded transactions and receipts of one row, in block order. */
export interface Chunk {
  readonly transactions: readonly Uint8Array[];
  readonly receipts: readonly Uint8Array[];
}

/**
 * Encodes a chunk: zstd over the count, the lengths of all transactions, those of all receipts, then the
 * transactions and the receipts, with a checksum. They compress better together: receipts repeat
 * addresses.
 */
export function packChunk(chunk: Chunk): Uint8Array {
  const all = [...chunk.transactions, ...chunk.receipts];
  const writer = new ByteWriter(all.reduce((sum, item) => sum + item.length + 4, 16));
  writer.varint(chunk.transactions.length);
  for (const item of all) writer.varint(item.length);
  for (const item of all) writer.raw(item);
  return zstdCompressSync(writer.finish(), WITH_CHECKSUM);
}

/**
 * Decodes the result of {@link packChunk}; rows of versions below 0.8 have no checksum.
 *
 * @throws {DecodeError} or a decompression error when the row is damaged
 */
export function unpackChunk(packed: Uint8Array): Chunk {
  const reader = new ByteReader(Bun.zstdDecompressSync(packed), "transaction_chunk");
  const count = reader.varint();
  const lengths: number[] = [];
  for (let i = 0; i < 2 * count; i++) lengths.push(reader.varint());
  const items = lengths.map((length) => reader.raw(length));
  reader.end();
  return { transactions: items.slice(0, count), receipts: items.slice(count) };
}
