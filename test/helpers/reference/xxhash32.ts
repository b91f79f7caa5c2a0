const MASK = 0xffff_ffffn;
const [P1, P2, P3, P4, P5] = [2654435761n, 2246822519n, 3266489917n, 668265263n, 374761393n];

const rotated = (value: bigint, bits: bigint): bigint =>
  ((value << bits) | (value >> (32n - bits))) & MASK;

/** xxHash32 as specified (https://github.com/Cyan4973/xxHash, doc/xxhash_spec.md 0.2.0). */
export function xxHash32(bytes: Uint8Array, seed: number): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const word = (at: number): bigint => BigInt(view.getUint32(at, true));
  const round = (lane: bigint, input: bigint): bigint =>
    (rotated((lane + input * P2) & MASK, 13n) * P1) & MASK;
  const start = BigInt(seed);
  let at = 0;
  let hash = (start + P5) & MASK;
  if (bytes.length >= 16) {
    let lanes = [start + P1 + P2, start + P2, start, start - P1].map((lane) => lane & MASK);
    for (; at + 16 <= bytes.length; at += 16) {
      const stripe = at;
      lanes = lanes.map((lane, i) => round(lane, word(stripe + 4 * i)));
    }
    hash = lanes.reduce((sum, lane, i) => sum + rotated(lane, [1n, 7n, 12n, 18n][i] ?? 0n), 0n);
  }
  hash = (hash + BigInt(bytes.length)) & MASK;
  for (; at + 4 <= bytes.length; at += 4) {
    hash = (rotated((hash + word(at) * P3) & MASK, 17n) * P4) & MASK;
  }
  for (; at < bytes.length; at++) {
    hash = (rotated((hash + BigInt(bytes[at] ?? 0) * P5) & MASK, 11n) * P1) & MASK;
  }
  hash = ((hash ^ (hash >> 15n)) * P2) & MASK;
  hash = ((hash ^ (hash >> 13n)) * P3) & MASK;
  return Number(hash ^ (hash >> 16n));
}
