import { Felt } from "./felt";
import { Inversion } from "./inversion";
import { Wide } from "./wide";

/** The modulus, -1 divided by it modulo 2^64, and 2^512 modulo it. */
const MODULUS: usize = memory.data(32, 32);
const R2: usize = memory.data(32, 32);
let minusInverse: u64 = 0;

/** 2^256 minus the modulus if that is below 2^63 (as for secp256k1), else 0. */
let distance: u64 = 0;

/** Powers 0..15 of a base, in Montgomery form. */
const POWERS: usize = memory.data(512, 32);
const RESULT: usize = memory.data(32, 32);

/** Arithmetic modulo any odd number below 2^256: 32 bytes, four limbs, least significant first. */
export class Power {
  /**
   * Sets the modulus of all subsequent calls.
   *
   * @param r2 - 2^512 modulo the modulus
   */
  static begin(modulus: usize, r2: usize): void {
    Felt.copy(MODULUS, modulus);
    Felt.copy(R2, r2);
    const low = load<u64>(modulus);
    // An odd number is its own inverse modulo 8; each step doubles the number of correct bits.
    let inverse = low;
    for (let bits = 3; bits < 64; bits <<= 1) inverse *= 2 - low * inverse;
    minusInverse = 0 - inverse;
    const upper = load<u64>(modulus, 8) & load<u64>(modulus, 16) & load<u64>(modulus, 24);
    distance = ~upper == 0 && low >> 63 != 0 ? 0 - low : 0;
    // Such products are reduced without Montgomery's factor, so each number is its own form.
    if (distance != 0) Felt.copy(R2, Felt.one());
  }

  /** out = base^exponent, by windows of four bits; `base` is below the modulus. */
  static raise(out: usize, base: usize, exponent: usize): void {
    Felt.copy(RESULT, exponent);
    Power.enter(base);
    Power.raiseToResult(out);
  }

  /** out = 1 / a, without Montgomery form; 0 for 0. The modulus must be prime. */
  static invert(out: usize, a: usize): void {
    Inversion.findModulo(out, a, MODULUS, minusInverse);
  }

  /** out = a 2^256 modulo the modulus: the Montgomery form; a itself for a modulus just below 2^256. */
  static toForm(out: usize, a: usize): void {
    Power.multiply(out, a, R2);
  }

  /** Inverse of {@link toForm}. */
  static fromForm(out: usize, a: usize): void {
    Power.multiply(out, a, Felt.one());
  }

  /** out = a + b; operands are below the modulus. */
  static add(out: usize, a: usize, b: usize): void {
    const r0 = Wide.add(load<u64>(a), load<u64>(b), 0);
    const r1 = Wide.add(load<u64>(a, 8), load<u64>(b, 8), Wide.hi);
    const r2 = Wide.add(load<u64>(a, 16), load<u64>(b, 16), Wide.hi);
    const r3 = Wide.add(load<u64>(a, 24), load<u64>(b, 24), Wide.hi);
    Power.reduceOnce(out, r0, r1, r2, r3, Wide.hi);
  }

  /** out = a - b; operands are below the modulus. */
  static sub(out: usize, a: usize, b: usize): void {
    const r0 = Wide.sub(load<u64>(a), load<u64>(b), 0);
    const r1 = Wide.sub(load<u64>(a, 8), load<u64>(b, 8), Wide.hi);
    const r2 = Wide.sub(load<u64>(a, 16), load<u64>(b, 16), Wide.hi);
    const r3 = Wide.sub(load<u64>(a, 24), load<u64>(b, 24), Wide.hi);
    const mask = 0 - Wide.hi;
    const s0 = Wide.add(r0, load<u64>(MODULUS) & mask, 0);
    const s1 = Wide.add(r1, load<u64>(MODULUS, 8) & mask, Wide.hi);
    const s2 = Wide.add(r2, load<u64>(MODULUS, 16) & mask, Wide.hi);
    const s3 = Wide.add(r3, load<u64>(MODULUS, 24) & mask, Wide.hi);
    Felt.set(out, s0, s1, s2, s3);
  }

  /** out = t, which is below twice the modulus, minus the modulus if that is not negative. */
  private static reduceOnce(out: usize, t0: u64, t1: u64, t2: u64, t3: u64, t4: u64): void {
    const r0 = Wide.sub(t0, load<u64>(MODULUS), 0);
    const r1 = Wide.sub(t1, load<u64>(MODULUS, 8), Wide.hi);
    const r2 = Wide.sub(t2, load<u64>(MODULUS, 16), Wide.hi);
    const r3 = Wide.sub(t3, load<u64>(MODULUS, 24), Wide.hi);
    // A borrow without a fifth limb means that t was below the modulus. Both cases are equally likely, so
    // avoid a branch.
    const below = Wide.hi > t4;
    Felt.set(
      out,
      select<u64>(t0, r0, below),
      select<u64>(t1, r1, below),
      select<u64>(t2, r2, below),
      select<u64>(t3, r3, below),
    );
  }

  /** Computes POWERS of a base. */
  private static enter(base: usize): void {
    Power.multiply(POWERS, R2, Felt.one());
    Power.multiply(POWERS + 32, R2, base);
    for (let i: usize = 2; i < 16; i++) {
      Power.multiply(POWERS + (i << 5), POWERS + ((i - 1) << 5), POWERS + 32);
    }
  }

  /** out = the base to the power stored in RESULT. */
  private static raiseToResult(out: usize): void {
    const e0 = load<u64>(RESULT);
    const e1 = load<u64>(RESULT, 8);
    const e2 = load<u64>(RESULT, 16);
    const e3 = load<u64>(RESULT, 24);
    Felt.copy(RESULT, POWERS);
    for (let i: u32 = 64; i > 0; i--) {
      for (let k = 0; k < 4; k++) Power.square(RESULT, RESULT);
      const at = (i - 1) >> 4;
      const limb = at == 0 ? e0 : at == 1 ? e1 : at == 2 ? e2 : e3;
      const digit = <usize>((limb >> (((i - 1) & 15) << 2)) & 15);
      if (digit != 0) Power.multiply(RESULT, RESULT, POWERS + (digit << 5));
    }
    Power.multiply(out, RESULT, Felt.one());
  }

  /** out = a b; numbers are in the form of {@link toForm}. */
  static multiply(out: usize, a: usize, b: usize): void {
    if (distance != 0) Power.multiplyNear(out, a, b);
    else Power.multiplyMontgomery(out, a, b);
  }

  /** out = a^2; see {@link multiply}. */
  static square(out: usize, a: usize): void {
    if (distance != 0) Power.squareNear(out, a);
    else Power.multiplyMontgomery(out, a, a);
  }

  /** out = a b modulo a modulus just below 2^256, where 2^256 is congruent to `distance`. */
  private static multiplyNear(out: usize, a: usize, b: usize): void {
    const b0 = load<u64>(b);
    const b1 = load<u64>(b, 8);
    const b2 = load<u64>(b, 16);
    const b3 = load<u64>(b, 24);
    const a0 = load<u64>(a);
    const t0 = Wide.mul(a0, b0);
    let t1 = Wide.mulAdd(Wide.hi, a0, b1);
    let t2 = Wide.mulAdd(Wide.hi, a0, b2);
    let t3 = Wide.mulAdd(Wide.hi, a0, b3);
    let t4 = Wide.hi;
    const a1 = load<u64>(a, 8);
    t1 = Wide.mulAdd(t1, a1, b0);
    t2 = Wide.mac(t2, a1, b1, Wide.hi);
    t3 = Wide.mac(t3, a1, b2, Wide.hi);
    t4 = Wide.mac(t4, a1, b3, Wide.hi);
    let t5 = Wide.hi;
    const a2 = load<u64>(a, 16);
    t2 = Wide.mulAdd(t2, a2, b0);
    t3 = Wide.mac(t3, a2, b1, Wide.hi);
    t4 = Wide.mac(t4, a2, b2, Wide.hi);
    t5 = Wide.mac(t5, a2, b3, Wide.hi);
    let t6 = Wide.hi;
    const a3 = load<u64>(a, 24);
    t3 = Wide.mulAdd(t3, a3, b0);
    t4 = Wide.mac(t4, a3, b1, Wide.hi);
    t5 = Wide.mac(t5, a3, b2, Wide.hi);
    t6 = Wide.mac(t6, a3, b3, Wide.hi);
    Power.reduceNear(out, t0, t1, t2, t3, t4, t5, t6, Wide.hi);
  }

  /** {@link multiplyNear} for a square: products of two different limbs are computed once and doubled. */
  private static squareNear(out: usize, a: usize): void {
    const a0 = load<u64>(a);
    const a1 = load<u64>(a, 8);
    const a2 = load<u64>(a, 16);
    const a3 = load<u64>(a, 24);
    let t1 = Wide.mul(a0, a1);
    let t2 = Wide.mulAdd(Wide.hi, a0, a2);
    let t3 = Wide.mulAdd(Wide.hi, a0, a3);
    let t4 = Wide.hi;
    t3 = Wide.mulAdd(t3, a1, a2);
    t4 = Wide.mac(t4, a1, a3, Wide.hi);
    let t5 = Wide.hi;
    t5 = Wide.mulAdd(t5, a2, a3);
    let t6 = Wide.hi;
    let t7 = t6 >> 63;
    t6 = (t6 << 1) | (t5 >> 63);
    t5 = (t5 << 1) | (t4 >> 63);
    t4 = (t4 << 1) | (t3 >> 63);
    t3 = (t3 << 1) | (t2 >> 63);
    t2 = (t2 << 1) | (t1 >> 63);
    t1 = t1 << 1;
    const t0 = Wide.mul(a0, a0);
    t1 = Wide.add(t1, Wide.hi, 0);
    let carry = Wide.hi;
    let low = Wide.mul(a1, a1);
    let high = Wide.hi;
    t2 = Wide.add(t2, low, carry);
    t3 = Wide.add(t3, high, Wide.hi);
    carry = Wide.hi;
    low = Wide.mul(a2, a2);
    high = Wide.hi;
    t4 = Wide.add(t4, low, carry);
    t5 = Wide.add(t5, high, Wide.hi);
    carry = Wide.hi;
    low = Wide.mul(a3, a3);
    high = Wide.hi;
    t6 = Wide.add(t6, low, carry);
    t7 = Wide.add(t7, high, Wide.hi);
    Power.reduceNear(out, t0, t1, t2, t3, t4, t5, t6, t7);
  }

  /** out = t modulo a modulus just below 2^256; t has 512 bits. */
  @inline
  private static reduceNear(
    out: usize,
    t0: u64,
    t1: u64,
    t2: u64,
    t3: u64,
    t4: u64,
    t5: u64,
    t6: u64,
    t7: u64,
  ): void {
    const d = distance;
    t0 = Wide.mulAdd(t0, t4, d);
    t1 = Wide.mac(t1, t5, d, Wide.hi);
    t2 = Wide.mac(t2, t6, d, Wide.hi);
    t3 = Wide.mac(t3, t7, d, Wide.hi);
    t0 = Wide.mulAdd(t0, Wide.hi, d);
    t1 = Wide.add(t1, Wide.hi, 0);
    t2 = Wide.add(t2, 0, Wide.hi);
    t3 = Wide.add(t3, 0, Wide.hi);
    Power.reduceOnce(out, t0, t1, t2, t3, Wide.hi);
  }

  /** out = a b / 2^256 modulo the modulus; operands are below it. */
  private static multiplyMontgomery(out: usize, a: usize, b: usize): void {
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
      // t = (t + a_i b + q m) / 2^64 stays below b + m, which may need one bit of a fifth limb.
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
    Power.reduceOnce(out, t0, t1, t2, t3, t4);
  }
}
