import { type Endomorphism, Modulus, ShortCurve } from "#protocol/crypto/index.ts";

/** An affine point; (0, 0) is the point at infinity, which lies on neither curve. */
export interface SecpPoint {
  readonly x: bigint;
  readonly y: bigint;
}

/** A curve y^2 = x^3 + a x + b over a prime field with p = 3 mod 4 and cofactor 1. */
export interface SecpCurve {
  readonly prime: bigint;
  /** Arithmetic modulo the prime. */
  readonly field: Modulus;
  /** Sums of its points. */
  readonly group: ShortCurve;
  readonly a: bigint;
  readonly b: bigint;
}

const PRIME_K1 = 0xfffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2fn;

/**
 * Multiplies points of secp256k1 by
 * 0x5363ad4cc05c30e0a5261c028812645a122e22ea20816678df02967c1b23bd72. The order is of SEC 2, section
 * 2.4.1; the vectors are what the extended Euclidean algorithm finds for the order and that number where
 * it passes the root of the order.
 */
export const SECP256K1_ENDOMORPHISM: Endomorphism = {
  prime: PRIME_K1,
  beta: 0x7ae96a2b657c07106e64479eac3434e99cf0497512f58995c1396c28719501een,
  order: 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n,
  basis: [
    [0x3086d221a7d46bcde86c90e49284eb15n, -0xe4437ed6010e88286f547fa90abfe4c3n],
    [0x114ca50f7a8e2f3f657c1108d9d44cfd8n, 0x3086d221a7d46bcde86c90e49284eb15n],
  ],
};

/** Source: SEC 2, section 2.4.1. */
export const SECP256K1: SecpCurve = curve(PRIME_K1, 0n, 7n, SECP256K1_ENDOMORPHISM);

/** Source: SEC 2, section 2.4.2 (NIST P-256). */
export const SECP256R1: SecpCurve = curve(
  0xffffffff00000001000000000000000000000000ffffffffffffffffffffffffn,
  0xffffffff00000001000000000000000000000000fffffffffffffffffffffffcn,
  0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn,
  undefined,
);

function curve(
  prime: bigint,
  a: bigint,
  b: bigint,
  endomorphism: Endomorphism | undefined,
): SecpCurve {
  return { prime, field: new Modulus(prime), group: new ShortCurve(prime, a, endomorphism), a, b };
}

/** Point at infinity. */
export const INFINITY: SecpPoint = { x: 0n, y: 0n };

function mod(value: bigint, prime: bigint): bigint {
  const rest = value % prime;
  return rest < 0n ? rest + prime : rest;
}

function rightSide({ prime, a, b }: SecpCurve, x: bigint): bigint {
  return mod((x * x + a) * x + b, prime);
}

/** Whether a point with coordinates below the prime lies on the curve; infinity counts. */
export function isOnCurve(curve: SecpCurve, { x, y }: SecpPoint): boolean {
  return (x === 0n && y === 0n) || (y * y) % curve.prime === rightSide(curve, x);
}

/** The point with this x and the given parity of y, or `undefined` when there is none. */
export function pointFromX(curve: SecpCurve, x: bigint, isOdd: boolean): SecpPoint | undefined {
  const { prime, field } = curve;
  const square = rightSide(curve, x);
  const root = field.power(square, (prime + 1n) / 4n);
  if ((root * root) % prime !== square) return undefined;
  const y = ((root & 1n) === 1n) === isOdd ? root : mod(-root, prime);
  return { x, y };
}

/** The sum of two points. */
export function secpAdd({ group }: SecpCurve, p: SecpPoint, q: SecpPoint): SecpPoint {
  return group.add(p, q);
}

/** `scalar`, of at most 256 bits, times a point. */
export function secpMultiply({ group }: SecpCurve, point: SecpPoint, scalar: bigint): SecpPoint {
  return group.multiply(point, scalar);
}
