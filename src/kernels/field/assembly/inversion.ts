import { Felt } from "./felt";
import { Wide } from "./wide";

/** Top limb of P = 2^251 + 17 * 2^192 + 1; the others are 1, 0, 0. */
const P3: u64 = 0x0800000000000011;

/** Steps between two updates of the long numbers; more would not fit into half a word. */
const STEPS: u32 = 31;
const LOW_STEPS: u64 = (1 << 31) - 1;

/** Added to two factors in one word it keeps the halves apart: factors are above -2^31. */
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

/** What {@link Inversion.combine} leaves: five limbs in two's complement. */
let sum0: u64 = 0;
let sum1: u64 = 0;
let sum2: u64 = 0;
let sum3: u64 = 0;
let sum4: u64 = 0;

/** What {@link Inversion.shorten} leaves. */
let f0: u64 = 0;
let g0: u64 = 0;
let f1: u64 = 0;
let g1: u64 = 0;

/** What {@link Inversion.runSteps} leaves, two in a word: the steps of A and of B. */
let factorsOfA: u64 = 0;
let factorsOfB: u64 = 0;

/**
 * The inverse by a binary Euclidean algorithm that looks at words and moves the long numbers once
 * in 31 steps, some 13 times in all.
 *
 * Source: T. Pornin, "Optimized Binary GCD for Modular Inversion", 2020 (eprint 2020/972),
 * algorithm 2. The time depends on the operand: none here is a secret.
 */
export class Inversion {
  /**
   * out = 1 / a, both in Montgomery form; 0 for 0.
   *
   * For the integer x that stands at `a`, A = x U and B = x V mod P from (x, P) down to (0, 1).
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
    // V is 1 / (a 2^256) of the a meant, and the answer is 2^256 / a.
    Felt.mulMont(out, V, R3);
  }

  /**
   * out = 1 / a modulo any odd modulus of at most 256 bits, both as they are; a is below it and has no
   * factor in common with it, or is 0, whose inverse is 0 here.
   *
   * @param minusInverse - -1 over the modulus modulo 2^64
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

  /** A = a, which is what U and V begin with, too. */
  @inline
  private static begin(a: usize): void {
    Felt.copy(A, a);
    Felt.setU64(U, 1);
    Felt.setU64(V, 0);
  }

  /** Shortens A and B by 31 bits together; f0, g0, f1, g1 are what U and V are to be combined with. */
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

  /** 31 steps on the ends of A and B: their 31 low bits and the 33 from the highest one down. */
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
      // An odd a loses b, and where b is the greater one the two change places first.
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

  /** The 64 bits of a number that start `shift` bits below the top of the limb at `at`. */
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
    // A negative number is the complement of its size plus one.
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

  /** out = |sum| / 2^31, which is a whole number. @returns all ones for a negative sum, else zero */
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
    // P is 1 in its low bits: the low bits of the sum times P are what keeps it from a whole number.
    const low = sum0 & LOW_STEPS;
    const productLow = Wide.mul(low, P3);
    const productHigh = Wide.hi;
    const t3 = Wide.sub128(sum3, sum4, productLow, productHigh);
    const t4 = Wide.hi;
    let r0 = (sum0 >> 31) | (sum1 << 33);
    let r1 = (sum1 >> 31) | (sum2 << 33);
    let r2 = (sum2 >> 31) | (t3 << 33);
    let r3 = (t3 >> 31) | (t4 << 33);
    // Above -2P and below P.
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

  /** out = sum / 2^31 modulo a modulus; the sum is less than 2^31 times the modulus, of either sign. */
  @inline
  static storeQuotientModulo(out: usize, modulus: usize, minusInverse: u64): void {
    const m0 = load<u64>(modulus);
    const m1 = load<u64>(modulus, 8);
    const m2 = load<u64>(modulus, 16);
    const m3 = load<u64>(modulus, 24);
    // So many times the modulus added, the sum ends in 31 zeros.
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
    // Between minus the modulus and twice the modulus: one of these is the answer.
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
