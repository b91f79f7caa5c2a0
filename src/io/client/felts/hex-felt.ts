import { FELT_BYTES, feltFromHex } from "#base/primitives/index.ts";

const ZERO = 0x30;
const LITTLE_X = 0x78;

/** Maximum length of a felt's text: `0x` and 64 digits. */
const MAX_LENGTH = 2 + FELT_BYTES * 2;

/** Highest byte of the field's prime; a felt with a lower one is below the prime. */
const PRIME_TOP = 0x08;

/** Values of hex digits by character code; 255 for other characters. */
const DIGITS = new Uint8Array(256).fill(255);
for (let value = 0; value < 16; value++) {
  const digit = value.toString(16);
  DIGITS[digit.charCodeAt(0)] = value;
  DIGITS[digit.toUpperCase().charCodeAt(0)] = value;
}

/**
 * Writes a felt from its `0x` hex text without creating a string or a bigint. It accepts the same texts as
 * `feltFromHex`.
 *
 * @param target - receives 32 little-endian bytes at `offset`, which must be zero before
 * @param bytes - ASCII text from `start` to `end`
 * @returns `false` if the text is not a felt; some of the 32 bytes may then be overwritten
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
