import { Felt } from "./felt";
import { Wide } from "./wide";

/** Top limb of P = 2^251 + 17 * 2^192 + 1; the others are 1, 0, 0. */
const P3: u64 = 0x0800000000000011;

/** Products modulo P divided by 2^256; {@link Felt} is the interface. */
export class Montgomery {
  /**
   * See {@link Felt.mulMont}.
   *
   * Row by row: t = (t + a_i b - q P) / 2^64 with q the low limb of the sum. P ends in 1, 0, 0, so that limb
   * vanishes and only the product q P3 must be subtracted from the two top limbs. t is signed, in (-P, b);
   * its sign extension is the fifth limb of the sum. A loop is faster than the unrolled rows, which need too
   * many registers.
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

  /**
   * See {@link Felt.sqrMont}; for a below 2^255.
   *
   * Row i is a_i times itself, plus a_i times the doubled limbs above it, so each product is computed once. A
   * limb is reduced as in {@link Montgomery.mul} as soon as no later row affects it: the sum is signed in its
   * top limb.
   */
  static square(out: usize, a: usize): void {
    const a0 = load<u64>(a);
    const a1 = load<u64>(a, 8);
    const a2 = load<u64>(a, 16);
    const a3 = load<u64>(a, 24);
    const double3 = (a3 << 1) | (a2 >> 63);
    const t0 = Wide.mul(a0, a0);
    const t1 = Wide.mulAdd(Wide.hi, a0, a1 << 1);
    let t2 = Wide.mulAdd(Wide.hi, a0, (a2 << 1) | (a1 >> 63));
    let t3 = Wide.mulAdd(Wide.hi, a0, double3);
    let t4 = Wide.hi;
    let low = Wide.mul(t0, P3);
    t3 = Wide.sub128(t3, t4, low, Wide.hi);
    t4 = Wide.hi;
    t2 = Wide.mulAdd(t2, a1, a1);
    t3 = Wide.mac(t3, a1, a2 << 1, Wide.hi);
    let t5 = <u64>((<i64>t4) >> 63);
    t4 = Wide.mac(t4, a1, double3, Wide.hi);
    t5 += Wide.hi;
    low = Wide.mul(t1, P3);
    t4 = Wide.sub128(t4, t5, low, Wide.hi);
    t5 = Wide.hi;
    t4 = Wide.mulAdd(t4, a2, a2);
    let t6 = <u64>((<i64>t5) >> 63);
    t5 = Wide.mac(t5, a2, a3 << 1, Wide.hi);
    t6 += Wide.hi;
    low = Wide.mul(t2, P3);
    t5 = Wide.sub128(t5, t6, low, Wide.hi);
    t6 = Wide.hi;
    let t7 = <u64>((<i64>t6) >> 63);
    t6 = Wide.mulAdd(t6, a3, a3);
    t7 += Wide.hi;
    low = Wide.mul(t3, P3);
    t6 = Wide.sub128(t6, t7, low, Wide.hi);
    Felt.setSigned(out, t4, t5, t6, Wide.hi);
  }
}
