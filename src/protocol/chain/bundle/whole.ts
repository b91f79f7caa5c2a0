import { ByteReader, ByteWriter } from "#base/codec/index.ts";

/**
 * Encodes a single value.
 *
 * @param capacity - expected size in bytes
 */
export function encodeExact<T>(
  value: T,
  write: (writer: ByteWriter, value: T) => void,
  capacity?: number,
): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter(capacity);
  write(writer, value);
  return writer.finish();
}

/**
 * Decodes bytes that hold exactly one value.
 *
 * @param name - name of the value in errors
 * @throws {DecodeError} when the bytes are not exactly one canonical value
 */
export function decodeExact<T>(
  bytes: Uint8Array,
  name: string,
  read: (reader: ByteReader) => T,
): T {
  const reader = new ByteReader(bytes, name);
  const value = read(reader);
  reader.end();
  return value;
}
