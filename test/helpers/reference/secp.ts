import type { SecpCurve, SecpPoint } from "#engine/execution/syscalls/secp-curve.ts";

/** Generators of SEC 2, sections 2.4.1 and 2.4.2. */
export const SECP_GENERATORS: Readonly<Record<"secp256k1" | "secp256r1", SecpPoint>> = {
  secp256k1: {
    x: 0x79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798n,
    y: 0x483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8n,
  },
  secp256r1: {
    x: 0x6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296n,
    y: 0x4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5n,
  },
};

/** Multiplier of the endomorphism of secp256k1. */
export const SECP256K1_LAMBDA = 0x5363ad4cc05c30e0a5261c028812645a122e22ea20816678df02967c1b23bd72n;

/** Jacobian coordinates: (x / z^2, y / z^3); z = 0 is infinity. */
type Jacobian = readonly [x: bigint, y: bigint, z: bigint];

const ZERO: Jacobian = [1n, 1n, 0n];

function mod(value: bigint, prime: bigint): bigint {
  const rest = value % prime;
  return rest < 0n ? rest + prime : rest;
}

function power(base: bigint, exponent: bigint, prime: bigint): bigint {
  let result = 1n;
  for (const bit of exponent.toString(2)) {
    result = (result * result) % prime;
    if (bit === "1") result = (result * base) % prime;
  }
  return result;
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

function affine({ prime }: SecpCurve, [x, y, z]: Jacobian): SecpPoint {
  if (z === 0n) return { x: 0n, y: 0n };
  const inverse = power(z, prime - 2n, prime);
  const square = (inverse * inverse) % prime;
  return { x: (x * square) % prime, y: (y * ((square * inverse) % prime)) % prime };
}

/** Sum of two points with `bigint`s. */
export function bigintSecpAdd(curve: SecpCurve, p: SecpPoint, q: SecpPoint): SecpPoint {
  return affine(curve, add(curve, jacobian(p), jacobian(q)));
}

/** `scalar` times a point with `bigint`s; 4 bits at a time. */
export function bigintSecpMultiply(curve: SecpCurve, point: SecpPoint, scalar: bigint): SecpPoint {
  const table: Jacobian[] = [ZERO];
  for (let i = 1; i < 16; i++) table.push(add(curve, table[i - 1] as Jacobian, jacobian(point)));
  let result = ZERO;
  for (const digit of scalar.toString(16)) {
    for (let i = 0; i < 4; i++) result = double(curve, result);
    result = add(curve, result, table[Number.parseInt(digit, 16)] as Jacobian);
  }
  return affine(curve, result);
}
