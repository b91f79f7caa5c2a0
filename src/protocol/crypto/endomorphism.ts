import type { CurvePoint, CurveTerm } from "#kernels/field/index.ts";

/**
 * Endomorphism of a curve y^2 = x^3 + b that is cheap to compute and multiplies each point by a fixed number
 * lambda: (x, y) becomes (beta x, y), with beta a cube root of 1.
 *
 * Source: Gallant, Lambert, Vanstone, "Faster Point Multiplication on Elliptic Curves with Efficient
 * Endomorphisms", 2001; Hankerson, Menezes, Vanstone, "Guide to Elliptic Curve Cryptography", 3.5.
 */
export interface Endomorphism {
  readonly prime: bigint;
  readonly beta: bigint;
  /** Number of points of the curve. */
  readonly order: bigint;
  /**
   * Two short vectors (u, v) with u + v lambda = 0 modulo the order; the determinant u1 v2 - u2 v1 is the
   * order.
   */
  readonly basis: readonly [readonly [bigint, bigint], readonly [bigint, bigint]];
}

/**
 * Splits a multiple of a point into two terms with factors of half as many bits: subtracts a lattice vector
 * near the scalar from it.
 *
 * @param scalar - not negative, at most 256 bits
 */
export function splitMultiple(
  { prime, beta, order, basis }: Endomorphism,
  point: CurvePoint,
  scalar: bigint,
): readonly [CurveTerm, CurveTerm] {
  const [[u1, v1], [u2, v2]] = basis;
  const first = nearest(v2 * scalar, order);
  const second = nearest(-v1 * scalar, order);
  const mapped = { x: (beta * point.x) % prime, y: point.y };
  return [
    term(point, scalar - first * u1 - second * u2, prime),
    term(mapped, -first * v1 - second * v2, prime),
  ];
}

/** Integer nearest to a non-negative quotient. */
function nearest(dividend: bigint, divisor: bigint): bigint {
  return (2n * dividend + divisor) / (2n * divisor);
}

/** Point times a factor of either sign. */
function term(point: CurvePoint, factor: bigint, prime: bigint): CurveTerm {
  if (factor >= 0n) return { point, factor };
  const y = point.y === 0n ? 0n : prime - point.y;
  return { point: { x: point.x, y }, factor: -factor };
}
