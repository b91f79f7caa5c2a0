/** Slow, plain BigInt versions of the field kernel's functions, as references of its tests. */

/** Prime of the Stark curve's field: 2^251 + 17 * 2^192 + 1. */
export const P = (1n << 251n) + 17n * (1n << 192n) + 1n;

/** Order of the Stark curve. */
export const N = 0x800000000000010ffffffffffffffffb781126dcae7b2321e66a241adc64d2fn;

const BETA = 0x6f21413efbe40de150e596d72f7a8c5609ad26c15c915c1f4cdfcb99cee9e89n;

/** Affine point; `undefined` is the neutral element. */
export type Point = { readonly x: bigint; readonly y: bigint } | undefined;

/** Generator of the Stark curve (Starknet docs, "STARK curve"). */
export const G: Point = {
  x: 0x1ef15c18599971b7beced415a40f0c7deacfd9b0d1819e03d723d8bc943cfcan,
  y: 0x5668060aa49730b7be4801df46ec62de53ecd11abe43a32873000c36e8dc1fn,
};

/** `value` modulo `modulus`, never negative. */
export function mod(value: bigint, modulus = P): bigint {
  const rest = value % modulus;
  return rest < 0n ? rest + modulus : rest;
}

/** `base`^`exponent` modulo `modulus`, for an exponent of at least 0. */
export function power(base: bigint, exponent: bigint, modulus = P): bigint {
  let result = 1n;
  let square = mod(base, modulus);
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if ((rest & 1n) === 1n) result = (result * square) % modulus;
    square = (square * square) % modulus;
  }
  return result;
}

/** Inverse of `value` modulo a prime; 0 for 0. */
export function inverse(value: bigint, modulus = P): bigint {
  return power(value, modulus - 2n, modulus);
}

/** Whether `value` is a square modulo P (Euler's criterion). */
export function isSquare(value: bigint): boolean {
  return power(value, (P - 1n) / 2n) !== P - 1n;
}

/** x^3 + x + beta modulo P. */
export function rightSide(x: bigint): bigint {
  return mod(x ** 3n + x + BETA);
}

/** Whether the point satisfies the equation of the curve. */
export function isOnCurve(point: Point): boolean {
  if (point === undefined) return false;
  return mod(point.y ** 2n) === rightSide(point.x);
}

/** Sum of two points. */
export function add(p: Point, q: Point): Point {
  if (p === undefined) return q;
  if (q === undefined) return p;
  let slope: bigint;
  if (p.x === q.x) {
    if (mod(p.y + q.y) === 0n) return undefined;
    slope = mod((3n * p.x * p.x + 1n) * inverse(2n * p.y));
  } else {
    slope = mod((q.y - p.y) * inverse(q.x - p.x));
  }
  const x = mod(slope * slope - p.x - q.x);
  return { x, y: mod(slope * (p.x - x) - p.y) };
}

/** scalar * point, by double and add. */
export function multiply(point: Point, scalar: bigint): Point {
  let sum: Point;
  let doubled = point;
  for (let rest = scalar; rest > 0n; rest >>= 1n) {
    if ((rest & 1n) === 1n) sum = add(sum, doubled);
    doubled = add(doubled, doubled);
  }
  return sum;
}

/** The ec_op builtin step by step; `undefined` where it fails on equal x. */
export function ecOp(p: Point, q: Point, m: bigint): Point {
  let sum = p;
  let doubled = q;
  for (let rest = m; rest > 0n; rest >>= 1n) {
    if (sum?.x === doubled?.x) return undefined;
    if ((rest & 1n) === 1n) sum = add(sum, doubled);
    doubled = add(doubled, doubled);
  }
  return sum;
}
