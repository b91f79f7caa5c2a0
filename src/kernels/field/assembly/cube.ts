import { Felt } from "./felt";
import { Wide } from "./wide";

/** Top limb of P = 2^251 + 17 * 2^192 + 1; the others are 1, 0, 0. */
const P3: u64 = 0x0800000000000011;

/** S-box of Poseidon, which takes most of the hash's time. */
export class Cube {
  /**
   * out = a^3 / 2^512 mod P, canonical, for a below 5P: the rows of `Montgomery.square`, then those of
   * `Montgomery.mul`; the intermediate square is neither stored nor reduced below P.
   */
  static find(out: usize, a: usize): void {
    const a0 = load<u64>(a);
    const a1 = load<u64>(a, 8);
    const a2 = load<u64>(a, 16);
    const a3 = load<u64>(a, 24);
    const double3 = (a3 << 1) | (a2 >> 63);
    let t0 = Wide.mul(a0, a0);
    let t1 = Wide.mulAdd(Wide.hi, a0, a1 << 1);
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
    // The result is above -P and below P; adding P to its top makes it positive and below 2P.
    const s0 = t4 + 1;
    let s1 = t5;
    let s2 = t6;
    let s3 = Wide.hi + P3;
    if (s0 == 0) {
      // Happens about once in 2^64 random values.
      s1 += 1;
      s2 += u64(s1 == 0);
      s3 += u64(s1 == 0) & u64(s2 == 0);
    }
    t0 = Wide.mul(a0, s0);
    t1 = Wide.mulAdd(Wide.hi, a0, s1);
    t2 = Wide.mulAdd(Wide.hi, a0, s2);
    t3 = Wide.mulAdd(Wide.hi, a0, s3);
    t4 = Wide.hi;
    low = Wide.mul(t0, P3);
    t0 = t1;
    t1 = t2;
    t2 = Wide.sub128(t3, t4, low, Wide.hi);
    t3 = Wide.hi;
    for (let i: usize = 8; i < 32; i += 8) {
      const limb = load<u64>(a + i);
      t0 = Wide.mulAdd(t0, limb, s0);
      t4 = <u64>((<i64>t3) >> 63);
      t1 = Wide.mac(t1, limb, s1, Wide.hi);
      t2 = Wide.mac(t2, limb, s2, Wide.hi);
      t3 = Wide.mac(t3, limb, s3, Wide.hi);
      t4 += Wide.hi;
      low = Wide.mul(t0, P3);
      t0 = t1;
      t1 = t2;
      t2 = Wide.sub128(t3, t4, low, Wide.hi);
      t3 = Wide.hi;
    }
    Felt.setSigned(out, t0, t1, t2, t3);
  }
}
