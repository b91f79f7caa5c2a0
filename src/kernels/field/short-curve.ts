import type { FieldCalls } from "./calls.ts";

/** Affine point; (0, 0) is infinity. */
export interface CurvePoint {
  readonly x: bigint;
  readonly y: bigint;
}

/** Curve y^2 = x^3 + a x + b over an odd prime below 2^256. Points with y = 0 are not used. */
export interface CurveParameters {
  readonly a: bigint;
  readonly prime: bigint;
  /** 2^512 modulo the prime. */
  readonly r2: bigint;
}

/** Adds two points. Coordinates are below the prime. */
export function shortCurveAdd(
  { exports, window }: FieldCalls,
  { a, prime, r2 }: CurveParameters,
  p: CurvePoint,
  q: CurvePoint,
): CurvePoint {
  window.writeMany(0, [p.x, p.y, q.x, q.y, a, prime, r2], 0, 7);
  exports.shortCurveAdd();
  return { x: window.read(0), y: window.read(1) };
}

/** Point with its factor: a non-negative integer of at most 256 bits. */
export interface CurveTerm {
  readonly point: CurvePoint;
  readonly factor: bigint;
}

/** Adds two multiples of points. */
export function shortCurveMultiplyPair(
  { exports, window }: FieldCalls,
  { a, prime, r2 }: CurveParameters,
  { point: p, factor: s }: CurveTerm,
  { point: q, factor: t }: CurveTerm,
): CurvePoint {
  window.writeMany(0, [p.x, p.y, q.x, q.y, a, prime, r2, s, t], 0, 9);
  exports.shortCurveMulPair();
  return { x: window.read(0), y: window.read(1) };
}
