import type { CurveParameters, CurvePoint } from "#kernels/field/index.ts";
import { fieldKernel } from "./kernel.ts";

/**
 * Sums of points of a curve y^2 = x^3 + a x + b over an odd prime below 2^256, of which (0, 0) is not
 * one: it stands for infinity. Points must lie on the curve; none has y = 0.
 */
export class ShortCurve {
  readonly #parameters: CurveParameters;

  constructor(prime: bigint, a: bigint) {
    this.#parameters = { a, prime, r2: (1n << 512n) % prime };
  }

  /** The sum of two points. */
  add(p: CurvePoint, q: CurvePoint): CurvePoint {
    return fieldKernel().shortCurveAdd(this.#parameters, p, q);
  }

  /** A point times an integer of at most 256 bits. */
  multiply(point: CurvePoint, scalar: bigint): CurvePoint {
    return fieldKernel().shortCurveMultiply(this.#parameters, point, scalar);
  }
}
