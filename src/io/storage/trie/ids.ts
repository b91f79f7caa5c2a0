import { ByteReader, ByteWriter } from "#base/codec/index.ts";

/** Encodes node ids for the column `trie_removed.ids`: ascending, as differences. */
export function packIds(ids: readonly number[]): Uint8Array {
  const writer = new ByteWriter(ids.length * 3);
  let previous = 0;
  for (const id of Float64Array.from(ids).sort()) {
    writer.varint(id - previous);
    previous = id;
  }
  return writer.finish();
}

/**
 * Decodes the result of {@link packIds}.
 *
 * @throws {DecodeError} when the row is damaged
 */
export function unpackIds(packed: Uint8Array): number[] {
  const reader = new ByteReader(packed, "trie_removed");
  const ids: number[] = [];
  let id = 0;
  while (reader.remaining > 0) ids.push((id += reader.varint()));
  return ids;
}
