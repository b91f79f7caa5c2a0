import { Felt } from "./felt";

const ACCUMULATOR: usize = memory.data(32, 32);
const INVERSE: usize = memory.data(32, 32);
const SLOPE: usize = memory.data(32, 32);
const X: usize = memory.data(32, 32);

/** Bytes of scratch space per pair. */
export const BATCH_SCRATCH_BYTES: usize = 64;

/**
 * Additions of affine points that share one inversion (Montgomery's trick): six products each.
 *
 * Use: `begin`, then `prepare` for every pair in one order, `invert`, then `finish` for every pair
 * in the opposite order with the same scratch. The points of a pair must differ in x.
 */
export class Batch {
  static begin(): void {
    Felt.copy(ACCUMULATOR, Felt.montOne());
  }

  /** First pass over (p, q); `scratch` keeps the product of the pairs before and the x distance. */
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

  /** Second pass: out = p + q; `out` may be p or q. */
  @inline
  static finish(out: usize, p: usize, q: usize, scratch: usize): void {
    Felt.sub(SLOPE, q + 32, p + 32);
    Felt.mulMont(INVERSE, ACCUMULATOR, scratch);
    Felt.mulMont(SLOPE, SLOPE, INVERSE);
    Felt.mulMont(ACCUMULATOR, ACCUMULATOR, scratch + 32);
    Felt.sqrMont(X, SLOPE);
    Felt.subTwo(X, X, p, q);
    Felt.sub(INVERSE, p, X);
    Felt.mulMont(INVERSE, INVERSE, SLOPE);
    Felt.sub(out + 32, INVERSE, p + 32);
    Felt.copy(out, X);
  }
}
