import { Felt } from "./felt";
import { Wide } from "./wide";

/** The modulus, -1 over it modulo 2^64, and 2^512 modulo it. */
const MODULUS: usize = memory.data(32, 32);
const R2: usize = memory.data(32, 32);
let minusInverse: u64 = 0;

/** Powers 0..15 of a base, in Montgomery form. */
const POWERS: usize = memory.data(512, 32);
const RESULT: usize = memory.data(32, 32);

/** Powers modulo any odd number below 2^256: 32 bytes, four limbs, least significant first. */
export class Power {
  /**
   * out = base^exponent, by windows of four bits.
   *
   * @param base - below the modulus
   * @param r2 - 2^512 modulo the modulus
   */
  static find(out: usize, base: usize, exponent: usize, modulus: usize, r2: usize): void {
    Felt.copy(MODULUS, modulus);
    Felt.copy(R2, r2);
    Felt.copy(RESULT, exponent);
    const low = load<u64>(modulus);
    // An odd number is its own inverse modulo 8; each step doubles the bits that are right.
    let inverse = low;
    for (let bits = 3; bits < 64; bits <<= 1) inverse *= 2 - low * inverse;
    minusInverse = 0 - inverse;
    Power.enter(base);
    Power.raise(out);
  }

  /** POWERS of a base. */
  private static enter(base: usize): void {
    Power.multiply(POWERS, R2, Felt.one());
    Power.multiply(POWERS + 32, R2, base);
    for (let i: usize = 2; i < 16; i++) {
      Power.multiply(POWERS + (i << 5), POWERS + ((i - 1) << 5), POWERS + 32);
    }
  }

  /** out = the base to the power that stands in RESULT. */
  private static raise(out: usize): void {
    const e0 = load<u64>(RESULT);
    const e1 = load<u64>(RESULT, 8);
    const e2 = load<u64>(RESULT, 16);
    const e3 = load<u64>(RESULT, 24);
    Felt.copy(RESULT, POWERS);
    for (let i: u32 = 64; i > 0; i--) {
      for (let k = 0; k < 4; k++) Power.multiply(RESULT, RESULT, RESULT);
      const at = (i - 1) >> 4;
      const limb = at == 0 ? e0 : at == 1 ? e1 : at == 2 ? e2 : e3;
      const digit = <usize>((limb >> (((i - 1) & 15) << 2)) & 15);
      if (digit != 0) Power.multiply(RESULT, RESULT, POWERS + (digit << 5));
    }
    Power.multiply(out, RESULT, Felt.one());
  }

  /** out = a b / 2^256 modulo the modulus, of numbers below it. */
  private static multiply(out: usize, a: usize, b: usize): void {
    const m0 = load<u64>(MODULUS);
    const m1 = load<u64>(MODULUS, 8);
    const m2 = load<u64>(MODULUS, 16);
    const m3 = load<u64>(MODULUS, 24);
    const factor = minusInverse;
    let t0: u64 = 0;
    let t1: u64 = 0;
    let t2: u64 = 0;
    let t3: u64 = 0;
    let t4: u64 = 0;
    for (let i: usize = 0; i < 32; i += 8) {
      // t = (t + a_i b + q m) / 2^64 stays below b + m, which may need a bit of a fifth limb.
      const limb = load<u64>(a + i);
      t0 = Wide.mulAdd(t0, limb, load<u64>(b));
      t1 = Wide.mac(t1, limb, load<u64>(b, 8), Wide.hi);
      t2 = Wide.mac(t2, limb, load<u64>(b, 16), Wide.hi);
      t3 = Wide.mac(t3, limb, load<u64>(b, 24), Wide.hi);
      t4 = Wide.add(t4, Wide.hi, 0);
      const carry = Wide.hi;
      const q = t0 * factor;
      Wide.mulAdd(t0, q, m0);
      t0 = Wide.mac(t1, q, m1, Wide.hi);
      t1 = Wide.mac(t2, q, m2, Wide.hi);
      t2 = Wide.mac(t3, q, m3, Wide.hi);
      t3 = Wide.add(t4, Wide.hi, 0);
      t4 = carry + Wide.hi;
    }
    const r0 = Wide.sub(t0, m0, 0);
    const r1 = Wide.sub(t1, m1, Wide.hi);
    const r2 = Wide.sub(t2, m2, Wide.hi);
    const r3 = Wide.sub(t3, m3, Wide.hi);
    if (Wide.hi > t4) Felt.set(out, t0, t1, t2, t3);
    else Felt.set(out, r0, r1, r2, r3);
  }
}
