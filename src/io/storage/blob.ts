import { uintFromBytes } from "#base/codec/index.ts";
import { FELT_BYTES, writeFelt } from "#base/primitives/index.ts";

const scratch = new Uint8Array(FELT_BYTES);
const scratchView = new DataView(scratch.buffer);

/** Encodes an unsigned integer below 2^256 as minimal big-endian bytes; 0 is empty. */
export function blobFromUint(value: bigint): Uint8Array {
  if (value < 256n) return value === 0n ? EMPTY : Uint8Array.of(Number(value));
  let width = 8;
  if (value <= 0xffff_ffff_ffff_ffffn) {
    scratchView.setBigUint64(0, value);
  } else {
    writeFelt(scratchView, 0, value);
    width = FELT_BYTES;
  }
  let zeros = 0;
  while (scratch[zeros] === 0) zeros++;
  return scratch.slice(zeros, width);
}

/** Decodes the result of {@link blobFromUint}. */
export function uintFromBlob(blob: Uint8Array): bigint {
  return uintFromBytes(new DataView(blob.buffer, blob.byteOffset, blob.length), 0, blob.length);
}

const EMPTY = new Uint8Array(0);
