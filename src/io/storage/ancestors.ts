import { ByteReader, ByteWriter } from "#base/codec/index.ts";
import { type BlockHeader, decodeHeader, encodeHeader } from "#protocol/chain/index.ts";

/**
 * Number of headers before the first block that a chain from a snapshot stores. Each block stores the hash of
 * the block this many before it, where `get_block_hash` reads it.
 */
export const ANCESTOR_HEADERS = 10;

/** Whether the headers are those of consecutive blocks, oldest first, linked by parent hash. */
export function areLinked(headers: readonly BlockHeader[]): boolean {
  return headers.every(({ number, parentHash }, i) => {
    const parent = headers[i - 1];
    return parent === undefined || (number === parent.number + 1 && parentHash === parent.hash);
  });
}

/** Encodes headers for the value `ancestor_headers`: their number, then each with its length. */
export function packHeaders(headers: readonly BlockHeader[]): Uint8Array {
  const writer = new ByteWriter(headers.length * 512);
  writer.array(headers, (w, header) => w.bytes(encodeHeader(header)));
  return writer.finish();
}

/**
 * Decodes the result of {@link packHeaders}.
 *
 * @throws {DecodeError} when the value is damaged
 */
export function unpackHeaders(packed: Uint8Array): BlockHeader[] {
  const reader = new ByteReader(packed, "ancestor_headers");
  const headers = reader.array((r) => decodeHeader(r.bytes()));
  reader.end();
  return headers;
}
