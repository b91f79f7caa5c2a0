import type { CurveParameters, CurvePoint } from "#kernels/field/index.ts";
import { type Endomorphism, splitMultiple } from "./endomorphism.ts";
import { fieldKernel } from "./kernel.ts";

const NOTHING = { point: { x: 0n, y: 0n }, factor: 0n };

/**
 * Sums of points of a curve y^2 = x^3 + a x + b over an odd prime below 2^256, of which (0, 0) is not
 * one: it stands for infinity. Points must lie on the curve; none has y = 0.
 */
export class ShortCurve {
  readonly #parameters: CurveParameters;
  readonly #endomorphism: Endomorphism | undefined;

  /** @param endomorphism - the curve's, with which multiples take half the doublings */
  constructor(prime: bigint, a: bigint, endomorphism: Endomorphism | undefined) {
    this.#parameters = { a, prime, r2: (1n << 512n) % prime };
    this.#endomorphism = endomorphism;
  }

  /** The sum of two points. */
  add(p: CurvePoint, q: CurvePoint): CurvePoint {
    return fieldKernel().shortCurveAdd(this.#parameters, p, q);
  }

  /** A point times an integer of at most 256 bits. */
  multiply(point: CurvePoint, scalar: bigint): CurvePoint {
    const [first, second] =
      this.#endomorphism === undefined
        ? [{ point, factor: scalar }, NOTHING]
        : splitMultiple(this.#endomorphism, point, scalar);
    return fieldKernel().shortCurveMultiplyPair(this.#parameters, first, second);
  }
}
