import { Felt } from "./felt";
import { Wide } from "./wide";

/** Top limb of P = 2^251 + 17 * 2^192 + 1; the others are 1, 0, 0. */
const P3: u64 = 0x0800000000000011;

/** Products modulo P divided by 2^256; the interface is in {@link Felt}. */
export class Montgomery {
  /**
   * See {@link Felt.mulMont}.
   *
   * Row by row: t = (t + a_i b - q P) / 2^64 with q the low limb of the sum. P ends in 1, 0, 0, so
   * that limb vanishes and only the product q P3 is left to take from the two top limbs. t is
   * signed, in (-P, b); its sign extension is the fifth limb of the sum. A loop is faster than the
   * rows written out, which need more registers than there are.
   */
  static mul(out: usize, a: usize, b: usize): void {
    const first = load<u64>(a);
    let t0 = Wide.mul(first, load<u64>(b));
    let t1 = Wide.mulAdd(Wide.hi, first, load<u64>(b, 8));
    let t2 = Wide.mulAdd(Wide.hi, first, load<u64>(b, 16));
    let t3 = Wide.mulAdd(Wide.hi, first, load<u64>(b, 24));
    let t4 = Wide.hi;
    let low = Wide.mul(t0, P3);
    let high = Wide.hi;
    t0 = t1;
    t1 = t2;
    t2 = Wide.sub128(t3, t4, low, high);
    t3 = Wide.hi;
    for (let i: usize = 8; i < 32; i += 8) {
      const limb = load<u64>(a + i);
      t0 = Wide.mulAdd(t0, limb, load<u64>(b));
      t4 = <u64>((<i64>t3) >> 63);
      t1 = Wide.mac(t1, limb, load<u64>(b, 8), Wide.hi);
      t2 = Wide.mac(t2, limb, load<u64>(b, 16), Wide.hi);
      t3 = Wide.mac(t3, limb, load<u64>(b, 24), Wide.hi);
      t4 += Wide.hi;
      low = Wide.mul(t0, P3);
      high = Wide.hi;
      t0 = t1;
      t1 = t2;
      t2 = Wide.sub128(t3, t4, low, high);
      t3 = Wide.hi;
    }
    Felt.setSigned(out, t0, t1, t2, t3);
  }

  /** See {@link Felt.sqrMont}. */
  static square(out: usize, a: usize): void {
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
    t7 += high + Wide.hi;
    Montgomery.reduce(out, t0, t1, t2, t3, t4, t5, t6, t7);
  }

  /**
   * Montgomery reduction of an eight-limb t < 2^256 * P.
   *
   * Since P = 1 + P3 * 2^192, its inverse modulo 2^256 is 1 - P3 * 2^192, so the quotient
   * q = t * P^-1 mod 2^256 shares its three low limbs with t, and q * P = q + P3 * q * 2^192.
   * The result is (t - q * P) / 2^256, in (-P, P), made non-negative.
   */
  @inline
  static reduce(
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
    const s0 = Wide.mul(t0, P3);
    const s1 = Wide.mulAdd(Wide.hi, t1, P3);
    const s2 = Wide.mulAdd(Wide.hi, t2, P3);
    const carry = Wide.hi;
    const q3 = Wide.sub128(t3, 0, s0, 0);
    const borrow = Wide.hi;
    const s3 = Wide.mulAdd(carry, q3, P3);
    const s4 = Wide.hi;
    let r0 = Wide.sub128(t4, 0, s1, 0);
    r0 = Wide.add128(r0, Wide.hi, borrow, borrow);
    const borrow0 = Wide.hi;
    let r1 = Wide.sub128(t5, 0, s2, 0);
    r1 = Wide.add128(r1, Wide.hi, borrow0, borrow0);
    const borrow1 = Wide.hi;
    let r2 = Wide.sub128(t6, t7, s3, s4);
    r2 = Wide.add128(r2, Wide.hi, borrow1, borrow1);
    Felt.setSigned(out, r0, r1, r2, Wide.hi);
  }
}
