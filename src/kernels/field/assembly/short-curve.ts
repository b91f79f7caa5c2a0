import { Felt } from "./felt";
import { Power } from "./power";

/** Bytes of a point in Jacobian coordinates, in Montgomery form: (x / z^2, y / z^3), infinity where z = 0. */
export const POINT_BYTES: usize = 96;

const A: usize = memory.data(32, 32);
const SUM: usize = memory.data(96, 32);
const OTHER: usize = memory.data(96, 32);
const T0: usize = memory.data(32, 32);
const T1: usize = memory.data(32, 32);
const T2: usize = memory.data(32, 32);
const T3: usize = memory.data(32, 32);
const T4: usize = memory.data(32, 32);
const T5: usize = memory.data(32, 32);

/**
 * Points of curves y^2 = x^3 + a x + b over any prime field of at most 256 bits. Affine points are x and y,
 * 64 bytes; (0, 0) is infinity and not on any curve used here.
 */
export class ShortCurve {
  /** Sets the curve of all subsequent calls. @param r2 - 2^512 modulo the prime */
  static begin(a: usize, prime: usize, r2: usize): void {
    Power.begin(prime, r2);
    Power.toForm(A, a);
  }

  static add(out: usize, p: usize, q: usize): void {
    ShortCurve.enter(SUM, p);
    ShortCurve.enter(OTHER, q);
    ShortCurve.addTo(SUM, OTHER);
    ShortCurve.leave(out, SUM);
  }

  /** Converts an affine point to Jacobian coordinates. */
  static enter(out: usize, affine: usize): void {
    if (Felt.isZero(affine) && Felt.isZero(affine + 32)) {
      memory.fill(out, 0, POINT_BYTES);
      return;
    }
    Power.toForm(out, affine);
    Power.toForm(out + 32, affine + 32);
    Power.toForm(out + 64, Felt.one());
  }

  /** Converts a point from Jacobian to affine coordinates. */
  static leave(out: usize, point: usize): void {
    if (Felt.isZero(point + 64)) {
      memory.fill(out, 0, 64);
      return;
    }
    // 1 / z, then its square and cube.
    Power.fromForm(T0, point + 64);
    Power.invert(T0, T0);
    Power.toForm(T0, T0);
    Power.square(T1, T0);
    Power.multiply(T2, T1, T0);
    Power.multiply(T1, point, T1);
    Power.multiply(T2, point + 32, T2);
    Power.fromForm(out, T1);
    Power.fromForm(out + 32, T2);
  }

  /** p = 2 p. */
  static double(p: usize): void {
    const x = p;
    const y = p + 32;
    const z = p + 64;
    if (Felt.isZero(z)) return;
    const yy = T0;
    const s = T1;
    const m = T2;
    Power.square(yy, y);
    Power.multiply(s, x, yy);
    Power.add(s, s, s);
    Power.add(s, s, s);
    Power.square(T3, x);
    Power.add(m, T3, T3);
    Power.add(m, m, T3);
    if (!Felt.isZero(A)) {
      Power.square(T3, z);
      Power.square(T3, T3);
      Power.multiply(T3, T3, A);
      Power.add(m, m, T3);
    }
    // A point with y = 0 also becomes infinity here.
    Power.multiply(z, y, z);
    Power.add(z, z, z);
    Power.square(x, m);
    Power.sub(x, x, s);
    Power.sub(x, x, s);
    Power.sub(s, s, x);
    Power.multiply(s, m, s);
    Power.square(yy, yy);
    Power.add(yy, yy, yy);
    Power.add(yy, yy, yy);
    Power.add(yy, yy, yy);
    Power.sub(y, s, yy);
  }

  /** p = p + q. */
  static addTo(p: usize, q: usize): void {
    if (Felt.isZero(q + 64)) return;
    if (Felt.isZero(p + 64)) {
      memory.copy(p, q, POINT_BYTES);
      return;
    }
    const zz1 = T0;
    const zz2 = T1;
    const u1 = T2;
    const s1 = T3;
    const h = T4;
    const r = T5;
    Power.square(zz1, p + 64);
    Power.square(zz2, q + 64);
    Power.multiply(u1, p, zz2);
    Power.multiply(h, q, zz1);
    Power.sub(h, h, u1);
    Power.multiply(s1, zz2, q + 64);
    Power.multiply(s1, s1, p + 32);
    Power.multiply(r, zz1, p + 64);
    Power.multiply(r, r, q + 32);
    Power.sub(r, r, s1);
    if (Felt.isZero(h)) {
      if (Felt.isZero(r)) ShortCurve.double(p);
      else memory.fill(p, 0, POINT_BYTES);
      return;
    }
    Power.multiply(p + 64, p + 64, q + 64);
    Power.multiply(p + 64, p + 64, h);
    const hh = T0;
    const hhh = T1;
    Power.square(hh, h);
    Power.multiply(hhh, hh, h);
    // v = u1 hh
    Power.multiply(u1, u1, hh);
    Power.square(p, r);
    Power.sub(p, p, hhh);
    Power.sub(p, p, u1);
    Power.sub(p, p, u1);
    Power.sub(u1, u1, p);
    Power.multiply(u1, r, u1);
    Power.multiply(s1, s1, hhh);
    Power.sub(p + 32, u1, s1);
  }
}
