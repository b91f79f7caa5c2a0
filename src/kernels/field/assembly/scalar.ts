import { Wide } from "./wide";

/** N = 0x800000000000010ffffffffffffffffb781126dcae7b2321e66a241adc64d2f, the order of the curve. */
const N0: u64 = 0x1e66a241adc64d2f;
const N1: u64 = 0xb781126dcae7b232;
const N2: u64 = 0xffffffffffffffff;
const N3: u64 = 0x0800000000000010;

/** -1 / N modulo 2^64. */
const MINUS_INVERSE: u64 = 0xbb6b3c4ce8bde631;

const ORDER: usize = memory.data<u64>([N0, N1, N2, N3]);

/** 2^512 mod N. */
const R2: usize = memory.data<u64>([
  0x6021b3f1ea1c688d, 0x509cf64d14ce60b9, 0xbaf0ab4cf78bbabb, 0x07d9e57c2333766e,
]);
const ONE: usize = memory.data<u64>([1, 0, 0, 0]);

/** N - 2. */
const EXPONENT: usize = memory.data<u64>([
  0x1e66a241adc64d2d, 0xb781126dcae7b232, 0xffffffffffffffff, 0x0800000000000010,
]);

/** Powers 0..15 of a base, in Montgomery form. */
const POWERS: usize = memory.data(512, 32);
const RESULT: usize = memory.data(32, 32);

/** Integers modulo the order of the Stark curve: 32 bytes, four limbs, least significant first. */
export class Scalar {
  @inline
  static order(): usize {
    return ORDER;
  }

  /** out = a * b mod N; at least one of the operands must be below N. */
  static mul(out: usize, a: usize, b: usize): void {
    Scalar.mulMont(out, a, b);
    Scalar.mulMont(out, out, R2);
  }

  /** out = 1 / a mod N for 0 < a < N, as a^(N - 2) by windows of four bits. */
  static inv(out: usize, a: usize): void {
    Scalar.mulMont(POWERS, R2, ONE);
    for (let i: usize = 1; i < 16; i++) {
      Scalar.mulMont(
        POWERS + i * 32,
        i == 1 ? R2 : POWERS + (i - 1) * 32,
        i == 1 ? a : POWERS + 32,
      );
    }
    memory.copy(RESULT, POWERS, 32);
    for (let i: usize = 64; i > 0; i--) {
      for (let k = 0; k < 4; k++) Scalar.mulMont(RESULT, RESULT, RESULT);
      const byte = load<u8>(EXPONENT + ((i - 1) >> 1));
      const digit: usize = (i & 1) != 0 ? byte & 15 : byte >> 4;
      if (digit != 0) Scalar.mulMont(RESULT, RESULT, POWERS + digit * 32);
    }
    Scalar.mulMont(out, RESULT, ONE);
  }

  /** out = a * b / 2^256 mod N; a * b < 2^256 * N. */
  static mulMont(out: usize, a: usize, b: usize): void {
    const b0 = load<u64>(b);
    const b1 = load<u64>(b, 8);
    const b2 = load<u64>(b, 16);
    const b3 = load<u64>(b, 24);
    let t0: u64 = 0;
    let t1: u64 = 0;
    let t2: u64 = 0;
    let t3: u64 = 0;
    for (let i: usize = 0; i < 32; i += 8) {
      // t = (t + a_i b + q N) / 2^64 stays below b + N, which fits because both are below 2^253.
      const ai = load<u64>(a + i);
      t0 = Wide.mulAdd(t0, ai, b0);
      t1 = Wide.mac(t1, ai, b1, Wide.hi);
      t2 = Wide.mac(t2, ai, b2, Wide.hi);
      t3 = Wide.mac(t3, ai, b3, Wide.hi);
      const t4 = Wide.hi;
      const q = t0 * MINUS_INVERSE;
      Wide.mulAdd(t0, q, N0);
      t0 = Wide.mac(t1, q, N1, Wide.hi);
      t1 = Wide.mac(t2, q, N2, Wide.hi);
      t2 = Wide.mac(t3, q, N3, Wide.hi);
      t3 = t4 + Wide.hi;
    }
    let r0 = Wide.sub(t0, N0, 0);
    let r1 = Wide.sub(t1, N1, Wide.hi);
    let r2 = Wide.sub(t2, N2, Wide.hi);
    let r3 = Wide.sub(t3, N3, Wide.hi);
    const mask = 0 - Wide.hi;
    r0 = Wide.add(r0, mask & N0, 0);
    r1 = Wide.add(r1, mask & N1, Wide.hi);
    r2 = Wide.add(r2, mask & N2, Wide.hi);
    r3 = r3 + (mask & N3) + Wide.hi;
    store<u64>(out, r0);
    store<u64>(out, r1, 8);
    store<u64>(out, r2, 16);
    store<u64>(out, r3, 24);
  }
}
