import { type Felt, FELT_BYTES } from "./felt.ts";

/** Writes `value` as 32 big-endian bytes at `offset`. */
export function writeFelt(target: DataView, offset: number, value: Felt): void {
  // A DataView stores only the low 64 bits of a bigint.
  target.setBigUint64(offset, value >> 192n);
  target.setBigUint64(offset + 8, value >> 128n);
  target.setBigUint64(offset + 16, value >> 64n);
  target.setBigUint64(offset + 24, value);
}

/** Reads 32 big-endian bytes at `offset`; untrusted bytes may exceed the prime. */
export function readFelt(source: DataView, offset: number): Felt {
  const high = (source.getBigUint64(offset) << 64n) | source.getBigUint64(offset + 8);
  const low = (source.getBigUint64(offset + 16) << 64n) | source.getBigUint64(offset + 24);
  return (high << 128n) | low;
}

/** Encodes a felt as 32 new big-endian bytes. */
export function bytesFromFelt(value: Felt): Uint8Array {
  const bytes = new Uint8Array(FELT_BYTES);
  writeFelt(new DataView(bytes.buffer), 0, value);
  return bytes;
}

/** Decodes 32 big-endian bytes. */
export function feltFromBytes(bytes: Uint8Array): Felt {
  return readFelt(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), 0);
}

/** Lower-case hex without prefix. */
export function hexFromBytes(bytes: Uint8Array): string {
  return bytes.toHex();
}
