import { Felt } from "./felt";
import { Wide } from "./wide";

/** Top limb of P = 2^251 + 17 * 2^192 + 1; the others are 1, 0, 0. */
const P3: u64 = 0x0800000000000011;

const ACCUMULATOR: usize = memory.data(32, 32);
const INVERSE: usize = memory.data(32, 32);
const SLOPE: usize = memory.data(32, 32);
const X: usize = memory.data(32, 32);

/** Bytes of scratch memory that {@link Batch} needs for each pair of points. */
export const BATCH_SCRATCH_BYTES: usize = 64;

/**
 * Additions of affine points that share one inversion (Montgomery's trick): six products each.
 *
 * Usage: `begin`, then `prepare` for every pair in order, `invert`, then `finish` or `finishX` for every pair
 * in reverse order with the same scratch. The points of a pair must differ in x. `negative` is zero for p + q
 * and all ones for p - q.
 */
export class Batch {
  static begin(): void {
    Felt.copy(ACCUMULATOR, Felt.montOne());
  }

  /** First pass over (p, q); `scratch` receives the product of the previous pairs and the x distance. */
  @inline
  static prepare(p: usize, q: usize, scratch: usize): void {
    Felt.copy(scratch, ACCUMULATOR);
    Felt.sub(scratch + 32, q, p);
    Felt.mulMont(ACCUMULATOR, ACCUMULATOR, scratch + 32);
  }

  static invert(): void {
    if (Felt.isZero(ACCUMULATOR)) abort("points with equal x");
    Felt.invMont(ACCUMULATOR, ACCUMULATOR);
  }

  /** Second pass: out = p + q or p - q; `out` may be p or q. */
  static finish(out: usize, p: usize, q: usize, negative: u64, scratch: usize): void {
    Batch.findX(p, q, negative, scratch);
    Felt.sub(INVERSE, p, X);
    Felt.mulMont(INVERSE, INVERSE, SLOPE);
    Felt.sub(out + 32, INVERSE, p + 32);
    Felt.copy(out, X);
  }

  /** {@link Batch.finish} without y. */
  static finishX(out: usize, p: usize, q: usize, negative: u64, scratch: usize): void {
    Batch.findX(p, q, negative, scratch);
    Felt.copy(out, X);
  }

  @inline
  static findX(p: usize, q: usize, negative: u64, scratch: usize): void {
    Batch.subSigned(SLOPE, q + 32, p + 32, negative);
    Felt.mulMont(INVERSE, ACCUMULATOR, scratch);
    Felt.mulMont(SLOPE, SLOPE, INVERSE);
    Felt.mulMont(ACCUMULATOR, ACCUMULATOR, scratch + 32);
    Felt.sqrMont(X, SLOPE);
    Felt.subTwo(X, X, p, q);
  }

  /** out = a - b, or -a - b if `negative` is all ones instead of zero; a must then not be zero. */
  @inline
  static subSigned(out: usize, a: usize, b: usize, negative: u64): void {
    // -a equals P + 1 plus the complement of a, in 256 bits.
    const a0 = load<u64>(a) ^ negative;
    let r0 = Wide.add128(a0, 0, negative & 2, 0);
    const carry0 = Wide.hi;
    r0 = Wide.sub128(r0, carry0, load<u64>(b), 0);
    const borrow0 = Wide.hi;
    const sign0 = <u64>((<i64>borrow0) >> 63);
    let r1 = Wide.sub128(load<u64>(a, 8) ^ negative, 0, load<u64>(b, 8), 0);
    r1 = Wide.add128(r1, Wide.hi, borrow0, sign0);
    const borrow1 = Wide.hi;
    const sign1 = <u64>((<i64>borrow1) >> 63);
    const a3 = (load<u64>(a, 24) ^ negative) + (negative & P3);
    let r2 = Wide.sub128(load<u64>(a, 16) ^ negative, a3, load<u64>(b, 16), load<u64>(b, 24));
    r2 = Wide.add128(r2, Wide.hi, borrow1, sign1);
    Felt.setSigned(out, r0, r1, r2, Wide.hi);
  }

  /** out[i] = p + points[i] for i < count; results are `stride` bytes apart. */
  static addToEach(
    out: usize,
    stride: usize,
    p: usize,
    points: usize,
    count: usize,
    scratch: usize,
  ): void {
    Batch.begin();
    for (let i: usize = 0; i < count; i++) {
      Batch.prepare(p, points + (i << 6), scratch + i * BATCH_SCRATCH_BYTES);
    }
    Batch.invert();
    for (let i = count; i > 0; i--) {
      const q = points + ((i - 1) << 6);
      Batch.finish(out + (i - 1) * stride, p, q, 0, scratch + (i - 1) * BATCH_SCRATCH_BYTES);
    }
  }
}
