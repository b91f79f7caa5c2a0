import { ByteReader, ByteWriter } from "#base/codec/index.ts";

/**
 * A value as bytes of its own.
 *
 * @param capacity - expected size in bytes
 */
export function encodeWhole<T>(
  value: T,
  write: (writer: ByteWriter, value: T) => void,
  capacity?: number,
): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter(capacity);
  write(writer, value);
  return writer.finish();
}

/**
 * The value that bytes hold, and nothing else.
 *
 * @param name - what errors call it
 * @throws {DecodeError} when the bytes are not exactly one canonical value
 */
export function decodeWhole<T>(
  bytes: Uint8Array,
  name: string,
  read: (reader: ByteReader) => T,
): T {
  const reader = new ByteReader(bytes, name);
  const value = read(reader);
  reader.end();
  return value;
}
