import { Felt } from "./felt";
import { Wide } from "./wide";

/** Top limb of P = 2^251 + 17 * 2^192 + 1; the others are 1, 0, 0. */
const P3: u64 = 0x0800000000000011;

/** Steps between two updates of the long numbers; factors of more steps would not fit into half a word. */
const STEPS: u32 = 31;
const LOW_STEPS: u64 = (1 << 31) - 1;

/** Bias of two factors packed in one word, which keeps the halves separate: factors are above -2^31. */
const BIAS: u64 = 0x7fffffff7fffffff;

/** 2^768 mod P. */
const R3: usize = memory.data<u64>([
  0xcc7177d1406df18e, 0x7545706677ffcc06, 0xf47d84f836300018, 0x038e5f79873c0a6d,
]);

/** The two long numbers of {@link Inversion.find} and their multipliers. */
const A: usize = memory.data(32, 32);
const B: usize = memory.data(32, 32);
const U: usize = memory.data(32, 32);
const V: usize = memory.data(32, 32);
const NEXT: usize = memory.data(32, 32);

/** Result of {@link Inversion.combine}: five limbs in two's complement. */
let sum0: u64 = 0;
let sum1: u64 = 0;
let sum2: u64 = 0;
let sum3: u64 = 0;
let sum4: u64 = 0;

/** Result of {@link Inversion.shorten}. */
let f0: u64 = 0;
let g0: u64 = 0;
let f1: u64 = 0;
let g1: u64 = 0;

/** Result of {@link Inversion.runSteps}, packed in pairs: the factors for A and for B. */
let factorsOfA: u64 = 0;
let factorsOfB: u64 = 0;

/**
 * Modular inverse by a binary Euclidean algorithm that works on single words and updates the long numbers
 * once per 31 steps, about 13 times in total.
 *
 * Source: T. Pornin, "Optimized Binary GCD for Modular Inversion", 2020 (eprint 2020/972), algorithm 2. Its
 * time depends on the operand; no operand here is secret.
 */
export class Inversion {
  /**
   * out = 1 / a, both in Montgomery form; 0 for 0.
   *
   * For the integer x stored at `a`, A = x U and B = x V mod P hold from (x, P) down to (0, 1).
   */
  static find(out: usize, a: usize): void {
    Felt.set(B, 1, 0, 0, P3);
    Inversion.begin(a);
    while (!Felt.isZero(A)) {
      Inversion.shorten();
      Inversion.combine(U, f0, V, g0);
      Inversion.storeQuotient(NEXT);
      Inversion.combine(U, f1, V, g1);
      Inversion.storeQuotient(V);
      Felt.copy(U, NEXT);
    }
    // V is 1 / (a 2^256) for the represented a, and the result is 2^256 / a.
    Felt.mulMont(out, V, R3);
  }

  /**
   * out = 1 / a modulo any odd modulus of at most 256 bits, without Montgomery form. `a` is below the modulus
   * and coprime to it, or 0, for which the result is 0.
   *
   * @param minusInverse - -1 divided by the modulus, modulo 2^64
   */
  static findModulo(out: usize, a: usize, modulus: usize, minusInverse: u64): void {
    Felt.copy(B, modulus);
    Inversion.begin(a);
    while (!Felt.isZero(A)) {
      Inversion.shorten();
      Inversion.combine(U, f0, V, g0);
      Inversion.storeQuotientModulo(NEXT, modulus, minusInverse);
      Inversion.combine(U, f1, V, g1);
      Inversion.storeQuotientModulo(V, modulus, minusInverse);
      Felt.copy(U, NEXT);
    }
    Felt.copy(out, V);
  }

  /** Initializes A = a and the multipliers U and V. */
  @inline
  private static begin(a: usize): void {
    Felt.copy(A, a);
    Felt.setU64(U, 1);
    Felt.setU64(V, 0);
  }

  /** Shortens A and B by 31 bits together; f0, g0, f1, g1 are the factors to combine U and V with. */
  @inline
  private static shorten(): void {
    Inversion.runSteps();
    f0 = (factorsOfA & 0xffffffff) - 0x7fffffff;
    g0 = (factorsOfA >> 32) - 0x7fffffff;
    f1 = (factorsOfB & 0xffffffff) - 0x7fffffff;
    g1 = (factorsOfB >> 32) - 0x7fffffff;
    Inversion.combine(A, f0, B, g0);
    const signA = Inversion.storeMagnitude(NEXT);
    Inversion.combine(A, f1, B, g1);
    const signB = Inversion.storeMagnitude(B);
    Felt.copy(A, NEXT);
    f0 = (f0 ^ signA) - signA;
    g0 = (g0 ^ signA) - signA;
    f1 = (f1 ^ signB) - signB;
    g1 = (g1 ^ signB) - signB;
  }

  /** Runs 31 steps on the ends of A and B: their 31 low bits and the 33 highest ones. */
  static runSteps(): void {
    let a = load<u64>(A);
    let b = load<u64>(B);
    let top: usize = 24;
    while (top > 0 && (load<u64>(A + top) | load<u64>(B + top)) == 0) top -= 8;
    if (top > 0) {
      const shift = clz(load<u64>(A + top) | load<u64>(B + top));
      a = (a & LOW_STEPS) | (Inversion.highWord(A + top, shift) & ~LOW_STEPS);
      b = (b & LOW_STEPS) | (Inversion.highWord(B + top, shift) & ~LOW_STEPS);
    }
    let ofA: u64 = 1;
    let ofB: u64 = (<u64>1) << 32;
    for (let i: u32 = 0; i < STEPS; i++) {
      // b is subtracted from an odd a; if b is greater, the two are swapped first.
      const odd = 0 - (a & 1);
      const swap = odd & (0 - u64(a < b));
      const difference = a - (b & odd);
      const factors = ofA - (ofB & odd);
      b += difference & swap;
      ofB = (ofB + (factors & swap)) << 1;
      a = ((difference ^ swap) - swap) >> 1;
      ofA = (factors ^ swap) - swap;
    }
    factorsOfA = ofA + BIAS;
    factorsOfB = ofB + BIAS;
  }

  /** 64 bits of a number, starting `shift` bits below the top of the limb at `at`. */
  @inline
  static highWord(at: usize, shift: u64): u64 {
    return (load<u64>(at) << shift) | ((load<u64>(at - 8) >> 1) >> (63 - shift));
  }

  /** sum = p f + q g; the factors are in two's complement and below 2^32. */
  @inline
  static combine(p: usize, f: u64, q: usize, g: u64): void {
    const fSign = <u64>((<i64>f) >> 63);
    const gSign = <u64>((<i64>g) >> 63);
    const fSize = (f ^ fSign) - fSign;
    const gSize = (g ^ gSign) - gSign;
    const q0 = Wide.mul(load<u64>(q), gSize);
    const q1 = Wide.mulAdd(Wide.hi, load<u64>(q, 8), gSize);
    const q2 = Wide.mulAdd(Wide.hi, load<u64>(q, 16), gSize);
    const q3 = Wide.mulAdd(Wide.hi, load<u64>(q, 24), gSize);
    const q4 = Wide.hi;
    const p0 = Wide.mul(load<u64>(p), fSize);
    const p1 = Wide.mulAdd(Wide.hi, load<u64>(p, 8), fSize);
    const p2 = Wide.mulAdd(Wide.hi, load<u64>(p, 16), fSize);
    const p3 = Wide.mulAdd(Wide.hi, load<u64>(p, 24), fSize);
    const p4 = Wide.hi;
    // A negative number is the complement of its magnitude plus one.
    sum0 = Wide.add128(p0 ^ fSign, 0, q0 ^ gSign, 0);
    sum0 = Wide.add128(sum0, Wide.hi, (fSign & 1) + (gSign & 1), 0);
    const carry0 = Wide.hi;
    sum1 = Wide.add128(p1 ^ fSign, 0, q1 ^ gSign, 0);
    sum1 = Wide.add128(sum1, Wide.hi, carry0, 0);
    const carry1 = Wide.hi;
    sum2 = Wide.add128(p2 ^ fSign, 0, q2 ^ gSign, 0);
    sum2 = Wide.add128(sum2, Wide.hi, carry1, 0);
    const carry2 = Wide.hi;
    sum3 = Wide.add128(p3 ^ fSign, p4 ^ fSign, q3 ^ gSign, q4 ^ gSign);
    sum3 = Wide.add128(sum3, Wide.hi, carry2, 0);
    sum4 = Wide.hi;
  }

  /** out = |sum| / 2^31, which is an integer. @returns all ones for a negative sum, else zero */
  @inline
  static storeMagnitude(out: usize): u64 {
    const sign = <u64>((<i64>sum4) >> 63);
    const s0 = ((sum0 >> 31) | (sum1 << 33)) ^ sign;
    const s1 = ((sum1 >> 31) | (sum2 << 33)) ^ sign;
    const s2 = ((sum2 >> 31) | (sum3 << 33)) ^ sign;
    const s3 = ((sum3 >> 31) | (sum4 << 33)) ^ sign;
    const r0 = Wide.add128(s0, 0, sign & 1, 0);
    const r1 = Wide.add128(s1, 0, Wide.hi, 0);
    const r2 = Wide.add128(s2, s3, Wide.hi, 0);
    Felt.set(out, r0, r1, r2, Wide.hi);
    return sign;
  }

  /** out = sum / 2^31 mod P. */
  @inline
  static storeQuotient(out: usize): void {
    // P ends in 1, so subtracting the sum's low bits times P makes the sum divisible by 2^31.
    const low = sum0 & LOW_STEPS;
    const productLow = Wide.mul(low, P3);
    const productHigh = Wide.hi;
    const t3 = Wide.sub128(sum3, sum4, productLow, productHigh);
    const t4 = Wide.hi;
    let r0 = (sum0 >> 31) | (sum1 << 33);
    let r1 = (sum1 >> 31) | (sum2 << 33);
    let r2 = (sum2 >> 31) | (t3 << 33);
    let r3 = (t3 >> 31) | (t4 << 33);
    // The result is above -2P and below P.
    const once = <u64>((<i64>r3) >> 63);
    r0 = Wide.add128(r0, 0, once & 1, 0);
    r1 = Wide.add128(r1, 0, Wide.hi, 0);
    r2 = Wide.add128(r2, r3, Wide.hi, once & P3);
    r3 = Wide.hi;
    const twice = <u64>((<i64>r3) >> 63);
    r0 = Wide.add128(r0, 0, twice & 1, 0);
    r1 = Wide.add128(r1, 0, Wide.hi, 0);
    r2 = Wide.add128(r2, r3, Wide.hi, twice & P3);
    Felt.set(out, r0, r1, r2, Wide.hi);
  }

  /**
   * out = sum / 2^31 modulo a modulus; the sum has either sign and a magnitude below 2^31 times the modulus.
   */
  @inline
  static storeQuotientModulo(out: usize, modulus: usize, minusInverse: u64): void {
    const m0 = load<u64>(modulus);
    const m1 = load<u64>(modulus, 8);
    const m2 = load<u64>(modulus, 16);
    const m3 = load<u64>(modulus, 24);
    // Adding the modulus this many times clears the sum's 31 low bits.
    const times = (sum0 * minusInverse) & LOW_STEPS;
    const t0 = Wide.mulAdd(sum0, times, m0);
    const t1 = Wide.mac(sum1, times, m1, Wide.hi);
    const t2 = Wide.mac(sum2, times, m2, Wide.hi);
    const t3 = Wide.mac(sum3, times, m3, Wide.hi);
    const t4 = sum4 + Wide.hi;
    const q0 = (t0 >> 31) | (t1 << 33);
    const q1 = (t1 >> 31) | (t2 << 33);
    const q2 = (t2 >> 31) | (t3 << 33);
    const q3 = (t3 >> 31) | (t4 << 33);
    const q4 = <u64>((<i64>t4) >> 31);
    // The value is between minus the modulus and twice the modulus, so the result is one of these.
    const isNegative = q4 >> 63 != 0;
    const p0 = Wide.add(q0, m0, 0);
    const p1 = Wide.add(q1, m1, Wide.hi);
    const p2 = Wide.add(q2, m2, Wide.hi);
    const p3 = Wide.add(q3, m3, Wide.hi);
    const r0 = Wide.sub(q0, m0, 0);
    const r1 = Wide.sub(q1, m1, Wide.hi);
    const r2 = Wide.sub(q2, m2, Wide.hi);
    const r3 = Wide.sub(q3, m3, Wide.hi);
    const isBelow = Wide.hi > q4;
    Felt.set(
      out,
      isNegative ? p0 : isBelow ? q0 : r0,
      isNegative ? p1 : isBelow ? q1 : r1,
      isNegative ? p2 : isBelow ? q2 : r2,
      isNegative ? p3 : isBelow ? q3 : r3,
    );
  }
}
