import { FELT_BYTES } from "#base/primitives/index.ts";

/**
 * Bit operations on keys and hashes as 32 big-endian bytes within larger arrays. Tries handle millions of
 * them: with `bigint` the bookkeeping of an update took longer than its hashing.
 *
 * A key is an array and the offset of its first byte. Bits are named by their weight: 0 is the lowest bit of
 * the last byte.
 */

/** Returns the bit of weight 2^`weight`, 0 or 1, of the 32-byte big-endian key at offset `at`. */
export function bitAt(key: Uint8Array, at: number, weight: number): number {
  return ((key[at + 31 - (weight >> 3)] as number) >> (weight & 7)) & 1;
}

/**
 * Sets the bit of weight 2^`weight` of the 32-byte big-endian key at offset `at` to `bit`, 0 or 1.
 */
export function setBit(key: Uint8Array, at: number, weight: number, bit: number): void {
  const index = at + 31 - (weight >> 3);
  const rest = (key[index] as number) & ~(1 << (weight & 7));
  key[index] = rest | (bit << (weight & 7));
}

/** One above the weight of the highest bit in `[bottom, top)` where two keys differ; 0 when they agree. */
export function differenceHeight(
  a: Uint8Array,
  aAt: number,
  b: Uint8Array,
  bAt: number,
  top: number,
  bottom: number,
): number {
  if (top <= bottom) return 0;
  const first = 31 - ((top - 1) >> 3);
  const last = 31 - (bottom >> 3);
  for (let i = first; i <= last; i++) {
    let difference = (a[aAt + i] as number) ^ (b[bAt + i] as number);
    if (difference === 0) continue;
    if (i === first) difference &= (2 << ((top - 1) & 7)) - 1;
    if (i === last) difference &= -1 << (bottom & 7);
    if (difference !== 0) return (31 - i) * 8 + 32 - Math.clz32(difference);
  }
  return 0;
}

/** Number of bytes of a key that contain bits of weights `[bottom, top)`; 0 for an empty range. */
export function spanLength(top: number, bottom: number): number {
  return top <= bottom ? 0 : ((top - 1) >> 3) - (bottom >> 3) + 1;
}

/**
 * Copies the {@link spanLength} bytes of the key at `at` that contain bits of weights `[bottom, top)` to
 * `targetAt`. Bits are not shifted: each keeps its position within its byte. Bits outside the range become 0.
 *
 * The range must not be empty.
 */
export function writeSpan(
  target: Uint8Array,
  targetAt: number,
  key: Uint8Array,
  at: number,
  top: number,
  bottom: number,
): void {
  const first = 31 - ((top - 1) >> 3);
  const length = spanLength(top, bottom);
  for (let i = 0; i < length; i++) target[targetAt + i] = key[at + first + i] as number;
  target[targetAt] = (target[targetAt] as number) & ((2 << ((top - 1) & 7)) - 1);
  const end = targetAt + length - 1;
  target[end] = (target[end] as number) & (-1 << (bottom & 7));
}

/** Inserts a span from {@link writeSpan} with the same range into a key; other bits of the key are kept. */
export function overlaySpan(
  key: Uint8Array,
  at: number,
  span: Uint8Array,
  spanAt: number,
  top: number,
  bottom: number,
): void {
  const first = 31 - ((top - 1) >> 3);
  const last = 31 - (bottom >> 3);
  for (let i = first; i <= last; i++) {
    let mask = 0xff;
    if (i === first) mask &= (2 << ((top - 1) & 7)) - 1;
    if (i === last) mask &= -1 << (bottom & 7);
    const index = at + i;
    key[index] = ((key[index] as number) & ~mask) | ((span[spanAt + i - first] as number) & mask);
  }
}

/**
 * Writes the bits of weights `[bottom, top)` of a key as a 32-byte number: shifted right by `bottom`. The 32
 * bytes at `targetAt` must be 0 before.
 */
export function writeShifted(
  target: Uint8Array,
  targetAt: number,
  key: Uint8Array,
  at: number,
  top: number,
  bottom: number,
): void {
  const shift = bottom & 7;
  let source = at + 31 - (bottom >> 3);
  let to = targetAt + 31;
  for (let left = top - bottom; left > 0; left -= 8, source--, to--) {
    let byte = (key[source] as number) >> shift;
    if (shift !== 0 && source > at) byte |= (key[source - 1] as number) << (8 - shift);
    target[to] = left < 8 ? byte & ((1 << left) - 1) : byte;
  }
}

/** Copies 32 bytes. */
export function copyFelt(
  target: Uint8Array,
  targetAt: number,
  source: Uint8Array,
  at: number,
): void {
  for (let i = 0; i < FELT_BYTES; i++) target[targetAt + i] = source[at + i] as number;
}

/** Whether two 32-byte values are equal. */
export function equalFelts(a: Uint8Array, aAt: number, b: Uint8Array, bAt: number): boolean {
  for (let i = FELT_BYTES - 1; i >= 0; i--) if (a[aAt + i] !== b[bAt + i]) return false;
  return true;
}

/** Number of bytes of a 32-byte number without leading zeros; 0 for 0. */
export function significantBytes(value: Uint8Array, at: number): number {
  let zeros = 0;
  while (zeros < FELT_BYTES && value[at + zeros] === 0) zeros++;
  return FELT_BYTES - zeros;
}
