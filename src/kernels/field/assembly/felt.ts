import { Inversion } from "./inversion";
import { Montgomery } from "./montgomery";
import { SquareRoot } from "./square-root";
import { Wide } from "./wide";

/** Top limb of P = 2^251 + 17 * 2^192 + 1; the others are 1, 0, 0. */
const P3: u64 = 0x0800000000000011;

// Memory: the files of this folder reserve scratch space as static data, and their tables with heap.alloc
// while the module starts, never later. A kernel that imports them must take its memory from heap.alloc (or
// from addresses above its result), not from a fixed address.

/** 2^512 mod P; a Montgomery product with it converts to Montgomery form. */
const R2: usize = memory.data<u64>([
  0xfffffd737e000401, 0x00000001330fffff, 0xffffffffff6f8000, 0x07ffd4ab5e008810,
]);

const ONE: usize = memory.data<u64>([1, 0, 0, 0]);

/** 2^256 mod P, the Montgomery form of 1. */
const MONT_ONE: usize = memory.data<u64>([
  0xffffffffffffffe1, 0xffffffffffffffff, 0xffffffffffffffff, 0x07fffffffffffdf0,
]);

/**
 * Elements of the Stark field in linear memory.
 *
 * Layout: 32 bytes, four 64-bit limbs, least significant first. Arguments are addresses; `out` may equal an
 * operand. Unless noted otherwise operands must be canonical (< P), and results are canonical. The top limb
 * of an operand must not carry flag bits.
 *
 *     +0        +8        +16       +24       +32
 *     | limb 0  | limb 1  | limb 2  | limb 3  |      value = sum limb_i * 2^(64 i)
 *
 * Montgomery form of x is x * 2^256 mod P; add, sub, neg, isZero, eq work on both forms.
 */
export class Felt {
  @inline
  static one(): usize {
    return ONE;
  }

  /** Address of 1 in Montgomery form. */
  @inline
  static montOne(): usize {
    return MONT_ONE;
  }

  @inline
  static set(out: usize, limb0: u64, limb1: u64, limb2: u64, limb3: u64): void {
    store<u64>(out, limb0);
    store<u64>(out, limb1, 8);
    store<u64>(out, limb2, 16);
    store<u64>(out, limb3, 24);
  }

  @inline
  static copy(out: usize, a: usize): void {
    Felt.set(out, load<u64>(a), load<u64>(a, 8), load<u64>(a, 16), load<u64>(a, 24));
  }

  @inline
  static setU64(out: usize, value: u64): void {
    Felt.set(out, value, 0, 0, 0);
  }

  @inline
  static isZero(a: usize): bool {
    return (load<u64>(a) | load<u64>(a, 8) | load<u64>(a, 16) | load<u64>(a, 24)) == 0;
  }

  @inline
  static eq(a: usize, b: usize): bool {
    return (
      ((load<u64>(a) ^ load<u64>(b)) |
        (load<u64>(a, 8) ^ load<u64>(b, 8)) |
        (load<u64>(a, 16) ^ load<u64>(b, 16)) |
        (load<u64>(a, 24) ^ load<u64>(b, 24))) ==
      0
    );
  }

  /** -1, 0 or 1 by integer order; works on any 256-bit values. */
  static cmp(a: usize, b: usize): i32 {
    for (let i: usize = 32; i > 0; i -= 8) {
      const x = load<u64>(a + i - 8);
      const y = load<u64>(b + i - 8);
      if (x != y) return x < y ? -1 : 1;
    }
    return 0;
  }

  /** Whether a 256-bit value is below P. */
  static isCanonical(a: usize): bool {
    const top = load<u64>(a, 24);
    if (top != P3) return top < P3;
    return (load<u64>(a, 16) | load<u64>(a, 8) | load<u64>(a)) == 0;
  }

  /** out = a mod P for any 256-bit `a`. */
  static reduce(out: usize, a: usize): void {
    // a = q * 2^251 + rest with q < 32, and 2^251 = -(17 * 2^192 + 1) mod P.
    const top = load<u64>(a, 24);
    const q = top >> 59;
    let r0 = Wide.sub(load<u64>(a), q, 0);
    let r1 = Wide.sub(load<u64>(a, 8), 0, Wide.hi);
    let r2 = Wide.sub(load<u64>(a, 16), 0, Wide.hi);
    let r3 = Wide.sub(top & 0x07ffffffffffffff, 17 * q, Wide.hi);
    const mask = 0 - Wide.hi;
    r0 = Wide.add(r0, mask & 1, 0);
    r1 = Wide.add(r1, 0, Wide.hi);
    r2 = Wide.add(r2, 0, Wide.hi);
    r3 = r3 + (mask & P3) + Wide.hi;
    Felt.set(out, r0, r1, r2, r3);
  }

  static add(out: usize, a: usize, b: usize): void {
    const r0 = Wide.add128(load<u64>(a), 0, load<u64>(b), 0);
    const carry0 = Wide.hi;
    let r1 = Wide.add128(load<u64>(a, 8), 0, load<u64>(b, 8), 0);
    r1 = Wide.add128(r1, Wide.hi, carry0, 0);
    const carry1 = Wide.hi;
    let r2 = Wide.add128(load<u64>(a, 16), load<u64>(a, 24), load<u64>(b, 16), load<u64>(b, 24));
    r2 = Wide.add128(r2, Wide.hi, carry1, 0);
    const r3 = Wide.hi;
    // The top limb alone nearly always decides whether to subtract P, and nothing is borrowed.
    const mask = <u64>((<i64>(P3 - r3)) >> 63);
    const s0 = r0 + mask;
    if ((u64(r3 == P3) | u64(s0 > r0)) != 0) {
      Felt.setReducedOnce(out, r0, r1, r2, r3);
      return;
    }
    Felt.set(out, s0, r1, r2, r3 - (mask & P3));
  }

  /** out = r, or r - P if that is not negative. */
  static setReducedOnce(out: usize, r0: u64, r1: u64, r2: u64, r3: u64): void {
    const isBelow = r3 < P3 || (r3 == P3 && (r0 | r1 | r2) == 0);
    const mask = isBelow ? 0 : <u64>-1;
    const s0 = Wide.sub(r0, mask & 1, 0);
    const s1 = Wide.sub(r1, 0, Wide.hi);
    const s2 = Wide.sub(r2, 0, Wide.hi);
    Felt.set(out, s0, s1, s2, r3 - (mask & P3) - Wide.hi);
  }

  static sub(out: usize, a: usize, b: usize): void {
    const r0 = Wide.sub128(load<u64>(a), 0, load<u64>(b), 0);
    const borrow0 = Wide.hi;
    let r1 = Wide.sub128(load<u64>(a, 8), 0, load<u64>(b, 8), 0);
    r1 = Wide.add128(r1, Wide.hi, borrow0, borrow0);
    const borrow1 = Wide.hi;
    let r2 = Wide.sub128(load<u64>(a, 16), load<u64>(a, 24), load<u64>(b, 16), load<u64>(b, 24));
    r2 = Wide.add128(r2, Wide.hi, borrow1, borrow1);
    Felt.setSigned(out, r0, r1, r2, Wide.hi);
  }

  /** out = a - b - c; `out` must not be c. */
  static subTwo(out: usize, a: usize, b: usize, c: usize): void {
    const low0 = Wide.sub128(load<u64>(a), 0, load<u64>(b), 0);
    const r0 = Wide.sub128(low0, Wide.hi, load<u64>(c), 0);
    const borrow0 = Wide.hi;
    // Unless the low limb is within a few of 2^64, adding up to two P to it causes no carry.
    if (r0 > 0xfffffffffffffffc) {
      Felt.sub(out, a, b);
      Felt.sub(out, out, c);
      return;
    }
    const sign0 = <u64>((<i64>borrow0) >> 63);
    let r1 = Wide.sub128(load<u64>(a, 8), 0, load<u64>(b, 8), 0);
    r1 = Wide.sub128(r1, Wide.hi, load<u64>(c, 8), 0);
    r1 = Wide.add128(r1, Wide.hi, borrow0, sign0);
    const borrow1 = Wide.hi;
    const sign1 = <u64>((<i64>borrow1) >> 63);
    let r2 = Wide.sub128(load<u64>(a, 16), load<u64>(a, 24), load<u64>(b, 16), load<u64>(b, 24));
    r2 = Wide.sub128(r2, Wide.hi, load<u64>(c, 16), load<u64>(c, 24));
    r2 = Wide.add128(r2, Wide.hi, borrow1, sign1);
    const r3 = Wide.hi;
    const once = <u64>((<i64>r3) >> 63);
    const twice = <u64>((<i64>(r3 + (once & P3))) >> 63);
    Felt.set(out, r0 - once - twice, r1, r2, r3 + (once & P3) + (twice & P3));
  }

  /** out = r, or r + P if r is negative as a 256-bit two's complement integer. */
  @inline
  static setSigned(out: usize, r0: u64, r1: u64, r2: u64, r3: u64): void {
    const mask = <u64>((<i64>r3) >> 63);
    const s0 = r0 - mask;
    const s3 = r3 + (mask & P3);
    if (s0 < r0) {
      // The low limb overflows about once in 2^64 random values.
      const s1 = r1 + 1;
      const s2 = r2 + u64(s1 == 0);
      Felt.set(out, s0, s1, s2, s3 + (u64(s1 == 0) & u64(s2 == 0)));
      return;
    }
    Felt.set(out, s0, r1, r2, s3);
  }

  static neg(out: usize, a: usize): void {
    if (Felt.isZero(a)) {
      Felt.set(out, 0, 0, 0, 0);
      return;
    }
    const r0 = Wide.sub(1, load<u64>(a), 0);
    const r1 = Wide.sub(0, load<u64>(a, 8), Wide.hi);
    const r2 = Wide.sub(0, load<u64>(a, 16), Wide.hi);
    const r3 = P3 - load<u64>(a, 24) - Wide.hi;
    Felt.set(out, r0, r1, r2, r3);
  }

  /** out = a * b mod P of canonical operands. Operands below 2^64 take a shortcut. */
  static mul(out: usize, a: usize, b: usize): void {
    const high =
      load<u64>(a, 8) |
      load<u64>(a, 16) |
      load<u64>(a, 24) |
      load<u64>(b, 8) |
      load<u64>(b, 16) |
      load<u64>(b, 24);
    if (high == 0) {
      const low = Wide.mul(load<u64>(a), load<u64>(b));
      Felt.set(out, low, Wide.hi, 0, 0);
      return;
    }
    Felt.mulMont(out, a, b);
    Felt.mulMont(out, out, R2);
  }

  /** out = a * 2^256 mod P. */
  @inline
  static toMont(out: usize, a: usize): void {
    Felt.mulMont(out, a, R2);
  }

  /** out = a / 2^256 mod P. */
  @inline
  static fromMont(out: usize, a: usize): void {
    Felt.mulMont(out, a, ONE);
  }

  /**
   * out = a * b / 2^256 mod P, canonical. The operands may be unreduced sums as long as a * b < 2^256 * P
   * (for example both below 5P).
   */
  @inline
  static mulMont(out: usize, a: usize, b: usize): void {
    Montgomery.mul(out, a, b);
  }

  /** out = a^2 / 2^256 mod P, with the bound of {@link mulMont} for `a`. */
  @inline
  static sqrMont(out: usize, a: usize): void {
    Montgomery.square(out, a);
  }

  /** out = a^(2^count) in Montgomery form. */
  static sqrMontTimes(out: usize, a: usize, count: i32): void {
    Felt.sqrMont(out, a);
    for (let i = 1; i < count; i++) Felt.sqrMont(out, out);
  }

  /** out = 1 / a, both in Montgomery form; 0 for 0. */
  static invMont(out: usize, a: usize): void {
    Inversion.find(out, a);
  }

  /** out = 1 / a mod P of canonical values; 0 for 0. */
  static inv(out: usize, a: usize): void {
    Felt.toMont(out, a);
    Felt.invMont(out, out);
    Felt.fromMont(out, out);
  }

  /**
   * out = the smaller of the two square roots of `a`, canonical.
   *
   * @returns `false`, leaving `out` unchanged, if `a` is not a square
   */
  static sqrt(out: usize, a: usize): bool {
    return SquareRoot.find(out, a);
  }
}
