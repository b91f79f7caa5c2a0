import { Modulus } from "#protocol/crypto/index.ts";

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
  readonly a: bigint;
  readonly b: bigint;
}

/** Source: SEC 2, section 2.4.1. */
export const SECP256K1: SecpCurve = curve(
  0xfffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2fn,
  0n,
  7n,
);

/** Source: SEC 2, section 2.4.2 (NIST P-256). */
export const SECP256R1: SecpCurve = curve(
  0xffffffff00000001000000000000000000000000ffffffffffffffffffffffffn,
  0xffffffff00000001000000000000000000000000fffffffffffffffffffffffcn,
  0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn,
);

function curve(prime: bigint, a: bigint, b: bigint): SecpCurve {
  return { prime, field: new Modulus(prime), a, b };
}

/** Point at infinity. */
export const INFINITY: SecpPoint = { x: 0n, y: 0n };

/** Jacobian coordinates: (x / z^2, y / z^3); z = 0 is infinity. */
type Jacobian = readonly [x: bigint, y: bigint, z: bigint];

const ZERO: Jacobian = [1n, 1n, 0n];

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

function double({ prime, a }: SecpCurve, [x, y, z]: Jacobian): Jacobian {
  if (z === 0n || y === 0n) return ZERO;
  const yy = (y * y) % prime;
  const s = (4n * x * yy) % prime;
  const zz = (z * z) % prime;
  const m = (3n * x * x + a * ((zz * zz) % prime)) % prime;
  const x3 = mod(m * m - 2n * s, prime);
  const y3 = mod(m * (s - x3) - 8n * yy * yy, prime);
  return [x3, y3, (2n * y * z) % prime];
}

function add(curve: SecpCurve, p: Jacobian, q: Jacobian): Jacobian {
  const [x1, y1, z1] = p;
  const [x2, y2, z2] = q;
  if (z1 === 0n) return q;
  if (z2 === 0n) return p;
  const { prime } = curve;
  const zz1 = (z1 * z1) % prime;
  const zz2 = (z2 * z2) % prime;
  const u1 = (x1 * zz2) % prime;
  const h = mod(x2 * zz1 - u1, prime);
  const s1 = (y1 * ((zz2 * z2) % prime)) % prime;
  const r = mod(y2 * ((zz1 * z1) % prime) - s1, prime);
  if (h === 0n) return r === 0n ? double(curve, p) : ZERO;
  const hh = (h * h) % prime;
  const hhh = (hh * h) % prime;
  const v = (u1 * hh) % prime;
  const x3 = mod(r * r - hhh - 2n * v, prime);
  const y3 = mod(r * (v - x3) - s1 * hhh, prime);
  return [x3, y3, (((z1 * z2) % prime) * h) % prime];
}

function jacobian({ x, y }: SecpPoint): Jacobian {
  return x === 0n && y === 0n ? ZERO : [x, y, 1n];
}

function affine({ prime, field }: SecpCurve, [x, y, z]: Jacobian): SecpPoint {
  if (z === 0n) return INFINITY;
  const inverse = field.power(z, prime - 2n);
  const square = (inverse * inverse) % prime;
  return { x: (x * square) % prime, y: (y * ((square * inverse) % prime)) % prime };
}

/** The sum of two points. */
export function secpAdd(curve: SecpCurve, p: SecpPoint, q: SecpPoint): SecpPoint {
  return affine(curve, add(curve, jacobian(p), jacobian(q)));
}

/** `scalar` times a point; 4 bits at a time. */
export function secpMultiply(curve: SecpCurve, point: SecpPoint, scalar: bigint): SecpPoint {
  const table: Jacobian[] = [ZERO];
  for (let i = 1; i < 16; i++) table.push(add(curve, table[i - 1] as Jacobian, jacobian(point)));
  let result = ZERO;
  for (const digit of scalar.toString(16)) {
    for (let i = 0; i < 4; i++) result = double(curve, result);
    result = add(curve, result, table[Number.parseInt(digit, 16)] as Jacobian);
  }
  return affine(curve, result);
}
