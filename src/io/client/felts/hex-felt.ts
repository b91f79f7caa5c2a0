import { FELT_BYTES, feltFromHex } from "#base/primitives/index.ts";

const ZERO = 0x30;
const LITTLE_X = 0x78;

/** Longest text of a felt: `0x` and 64 digits. */
const MAX_LENGTH = 2 + FELT_BYTES * 2;

/** The highest byte of the field's prime; a felt with a lower one is below the prime. */
const PRIME_TOP = 0x08;

/** Values of hex digits by their character; 255 for what is none. */
const DIGITS = new Uint8Array(256).fill(255);
for (let value = 0; value < 16; value++) {
  const digit = value.toString(16);
  DIGITS[digit.charCodeAt(0)] = value;
  DIGITS[digit.toUpperCase().charCodeAt(0)] = value;
}

/**
 * Writes a felt from its `0x` hex text, as `feltFromHex` reads it, without making a string or a bigint.
 *
 * @param target - gets 32 little-endian bytes at `offset`; they have to be zero before
 * @param bytes - ASCII from `start` to `end`
 * @returns `false`: the text is no felt; some of the 32 bytes may be written
 */
export function writeHexFelt(
  target: Uint8Array,
  offset: number,
  bytes: Uint8Array,
  start: number,
  end: number,
): boolean {
  const length = end - start;
  if (length < 3 || length > MAX_LENGTH) return false;
  if (bytes[start] !== ZERO || bytes[start + 1] !== LITTLE_X) return false;
  const first = start + 2;
  let to = offset;
  for (let at = end - 1; at >= first; at -= 2) {
    const low = DIGITS[bytes[at] as number] as number;
    const high = at > first ? (DIGITS[bytes[at - 1] as number] as number) : 0;
    if ((low | high) > 15) return false;
    target[to++] = (high << 4) | low;
  }
  const top = target[offset + FELT_BYTES - 1] as number;
  if (top < PRIME_TOP) return true;
  return feltFromHex(new TextDecoder().decode(bytes.subarray(start, end))) !== undefined;
}
