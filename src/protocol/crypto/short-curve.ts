import type { CurveParameters, CurvePoint } from "#kernels/field/index.ts";
import { type Endomorphism, splitMultiple } from "./endomorphism.ts";
import { fieldKernel } from "./kernel.ts";

const NOTHING = { point: { x: 0n, y: 0n }, factor: 0n };

/**
 * Point arithmetic on a curve y^2 = x^3 + a x + b over an odd prime below 2^256. (0, 0) must not be on the
 * curve: it represents infinity. Points must be on the curve; none has y = 0.
 */
export class ShortCurve {
  readonly #parameters: CurveParameters;
  readonly #endomorphism: Endomorphism | undefined;

  /** @param endomorphism - endomorphism of the curve, which halves the doublings of a multiplication */
  constructor(prime: bigint, a: bigint, endomorphism: Endomorphism | undefined) {
    this.#parameters = { a, prime, r2: (1n << 512n) % prime };
    this.#endomorphism = endomorphism;
  }

  add(p: CurvePoint, q: CurvePoint): CurvePoint {
    return fieldKernel().shortCurveAdd(this.#parameters, p, q);
  }

  /** Multiplies a point by an integer of at most 256 bits. */
  multiply(point: CurvePoint, scalar: bigint): CurvePoint {
    const [first, second] =
      this.#endomorphism === undefined
        ? [{ point, factor: scalar }, NOTHING]
        : splitMultiple(this.#endomorphism, point, scalar);
    return fieldKernel().shortCurveMultiplyPair(this.#parameters, first, second);
  }
}
