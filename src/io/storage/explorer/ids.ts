import { ByteReader, ByteWriter } from "#base/codec/index.ts";

/** Encodes distinct ids as their number, then the difference of each to the one before, in ascending order. */
export function encodeIds(ids: ReadonlySet<number>): Uint8Array {
  const writer = new ByteWriter(64);
  const sorted = [...ids].sort((a, b) => a - b);
  let before = 0;
  writer.array(sorted, (w, id) => {
    w.varint(id - before);
    before = id;
  });
  return writer.finish();
}

/** Decodes the result of {@link encodeIds}. @throws {DecodeError} for other bytes */
export function decodeIds(bytes: Uint8Array): number[] {
  const reader = new ByteReader(bytes, "ids of an indexed block");
  let id = 0;
  const ids = reader.array((r) => (id += r.varint()));
  reader.end();
  return ids;
}
