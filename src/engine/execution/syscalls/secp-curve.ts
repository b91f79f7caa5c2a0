import { type Endomorphism, Modulus, ShortCurve } from "#protocol/crypto/index.ts";

/** Affine point; (0, 0) represents the point at infinity, and is on neither curve. */
export interface SecpPoint {
  readonly x: bigint;
  readonly y: bigint;
}

/** Curve y^2 = x^3 + a x + b over a prime field with p = 3 mod 4 and cofactor 1. */
export interface SecpCurve {
  readonly prime: bigint;
  /** Arithmetic modulo the prime. */
  readonly field: Modulus;
  /** Point addition and multiplication. */
  readonly group: ShortCurve;
  readonly a: bigint;
  readonly b: bigint;
}

const PRIME_K1 = 0xfffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2fn;

/**
 * Endomorphism that multiplies points of secp256k1 by
 * 0x5363ad4cc05c30e0a5261c028812645a122e22ea20816678df02967c1b23bd72. The order is from SEC 2, section 2.4.1.
 * The basis vectors are the steps of the extended Euclidean algorithm, for the order and that number, around
 * the square root of the order.
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

/** Curve secp256k1. Source: SEC 2, section 2.4.1. */
export const SECP256K1: SecpCurve = curve(PRIME_K1, 0n, 7n, SECP256K1_ENDOMORPHISM);

/** Curve secp256r1 (NIST P-256). Source: SEC 2, section 2.4.2. */
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

/** Whether a point with coordinates below the prime is on the curve; infinity counts. */
export function isOnCurve(curve: SecpCurve, { x, y }: SecpPoint): boolean {
  return (x === 0n && y === 0n) || (y * y) % curve.prime === rightSide(curve, x);
}

/** Point with this x and parity of y; `undefined` if x is not on the curve. */
export function pointFromX(curve: SecpCurve, x: bigint, isOdd: boolean): SecpPoint | undefined {
  const { prime, field } = curve;
  const square = rightSide(curve, x);
  const root = field.power(square, (prime + 1n) / 4n);
  if ((root * root) % prime !== square) return undefined;
  const y = ((root & 1n) === 1n) === isOdd ? root : mod(-root, prime);
  return { x, y };
}

/** Sum of two points. */
export function secpAdd({ group }: SecpCurve, p: SecpPoint, q: SecpPoint): SecpPoint {
  return group.add(p, q);
}

/** Product of a point and a `scalar` of at most 256 bits. */
export function secpMultiply({ group }: SecpCurve, point: SecpPoint, scalar: bigint): SecpPoint {
  return group.multiply(point, scalar);
}
