import { Felt } from "./felt";

const ZZ: usize = 64;
const ZZZ: usize = 96;

const BETA: usize = memory.data<u64>([
  0xf4cdfcb99cee9e89, 0x609ad26c15c915c1, 0x150e596d72f7a8c5, 0x06f21413efbe40de,
]);

/** Temporaries; their values do not survive a call. */
const A: usize = memory.data(32, 32);
const B: usize = memory.data(32, 32);
const C: usize = memory.data(32, 32);
const D: usize = memory.data(32, 32);
const E: usize = memory.data(32, 32);
const F: usize = memory.data(32, 32);

/**
 * The Stark curve y^2 = x^3 + x + BETA over the Stark field, in Montgomery form.
 *
 * An affine point is 64 bytes (x, y). A working point is 128 bytes (X, Y, ZZ, ZZZ) with
 * x = X / ZZ, y = Y / ZZZ, ZZ^3 = ZZZ^2, and ZZ = 0 for the neutral element. Formulas:
 * hyperelliptic.org EFD, "XYZZ coordinates for short Weierstrass curves".
 */
export class Curve {
  @inline
  static isNeutral(p: usize): bool {
    return Felt.isZero(p + ZZ);
  }

  static setNeutral(p: usize): void {
    memory.fill(p, 0, 128);
  }

  static copy(out: usize, p: usize): void {
    memory.copy(out, p, 128);
  }

  static fromAffine(out: usize, q: usize): void {
    memory.copy(out, q, 64);
    Felt.copy(out + ZZ, Felt.montOne());
    Felt.copy(out + ZZZ, Felt.montOne());
  }

  /** Converts canonical affine coordinates to Montgomery form. */
  static enter(out: usize, q: usize): void {
    Felt.toMont(out, q);
    Felt.toMont(out + 32, q + 32);
  }

  /** Converts affine coordinates from Montgomery form to canonical. */
  static leave(out: usize, q: usize): void {
    Felt.fromMont(out, q);
    Felt.fromMont(out + 32, q + 32);
  }

  /** out = affine (x, y) in Montgomery form of a non-neutral point; takes one inversion. */
  static toAffine(out: usize, p: usize): void {
    // 1/ZZZ gives 1/ZZ = (ZZ / ZZZ)^2 because ZZ / ZZZ is 1/Z.
    Felt.invMont(A, p + ZZZ);
    Felt.mulMont(B, A, p + ZZ);
    Felt.sqrMont(B, B);
    Felt.mulMont(out + 32, p + 32, A);
    Felt.mulMont(out, p, B);
  }

  static negate(p: usize): void {
    Felt.neg(p + 32, p + 32);
  }

  static rightSide(out: usize, x: usize): void {
    Felt.sqrMont(A, x);
    Felt.add(A, A, Felt.montOne());
    Felt.mulMont(A, A, x);
    Felt.toMont(B, BETA);
    Felt.add(out, A, B);
  }

  static isOnCurve(q: usize): bool {
    Curve.rightSide(C, q);
    Felt.sqrMont(D, q + 32);
    return Felt.eq(C, D);
  }

  /** p = 2p. No point has y = 0: the order of the curve is an odd prime. */
  static double(p: usize): void {
    Felt.add(A, p + 32, p + 32); // U
    Felt.sqrMont(B, A); // V
    Felt.mulMont(A, A, B); // W
    Felt.mulMont(C, p, B); // S
    Felt.sqrMont(D, p);
    Felt.add(E, D, D);
    Felt.add(D, D, E);
    Felt.sqrMont(E, p + ZZ);
    Felt.add(D, D, E); // M = 3 X^2 + ZZ^2
    Felt.mulMont(p + ZZ, B, p + ZZ);
    Felt.mulMont(p + ZZZ, A, p + ZZZ);
    Felt.mulMont(A, A, p + 32); // W Y
    Felt.sqrMont(E, D);
    Felt.subTwo(p, E, C, C);
    Felt.sub(C, C, p);
    Felt.mulMont(D, D, C);
    Felt.sub(p + 32, D, A);
  }

  /** p = p + q with q affine; handles all cases. */
  static addAffine(p: usize, q: usize): void {
    if (Curve.isNeutral(p)) {
      Curve.fromAffine(p, q);
      return;
    }
    Felt.mulMont(A, q, p + ZZ);
    Felt.sub(A, A, p); // P
    Felt.mulMont(B, q + 32, p + ZZZ);
    Felt.sub(B, B, p + 32); // R
    Curve.finishAdd(p, p, p + 32);
  }

  /** p = p + q, both in working form; handles all cases. */
  static add(p: usize, q: usize): void {
    if (Curve.isNeutral(q)) return;
    if (Curve.isNeutral(p)) {
      Curve.copy(p, q);
      return;
    }
    const isSameX = Curve.scaleX(p, q);
    Curve.addScaled(p, q, isSameX);
  }

  /** First half of an addition: scales x to a common denominator. @returns whether x is equal */
  static scaleX(p: usize, q: usize): bool {
    Felt.mulMont(E, p, q + ZZ); // U1
    Felt.mulMont(A, q, p + ZZ);
    Felt.sub(A, A, E); // P
    return Felt.isZero(A);
  }

  /** Second half of an addition; must directly follow {@link scaleX} of the same points. */
  static addScaled(p: usize, q: usize, isSameX: bool): void {
    Felt.mulMont(F, p + 32, q + ZZZ); // S1
    Felt.mulMont(B, q + 32, p + ZZZ);
    Felt.sub(B, B, F); // R
    if (!isSameX) {
      Felt.mulMont(p + ZZ, p + ZZ, q + ZZ);
      Felt.mulMont(p + ZZZ, p + ZZZ, q + ZZZ);
    }
    Curve.finishAdd(p, E, F);
  }

  /**
   * Common end of the additions: A = P and B = R are the differences of the scaled coordinates, `x1` and `y1`
   * the scaled coordinates of p itself.
   */
  static finishAdd(p: usize, x1: usize, y1: usize): void {
    if (Felt.isZero(A)) {
      if (Felt.isZero(B)) Curve.double(p);
      else Curve.setNeutral(p);
      return;
    }
    Felt.sqrMont(C, A); // PP
    Felt.mulMont(A, A, C); // PPP
    Felt.mulMont(D, x1, C); // Q
    Felt.mulMont(p + ZZ, p + ZZ, C);
    Felt.mulMont(p + ZZZ, p + ZZZ, A);
    Felt.mulMont(C, y1, A); // Y1 PPP
    Felt.sqrMont(p, B);
    Felt.subTwo(p, p, A, D);
    Felt.sub(p, p, D);
    Felt.sub(D, D, p);
    Felt.mulMont(D, D, B);
    Felt.sub(p + 32, D, C);
  }
}
