import type { Var } from "../../casm/builder-state.ts";
import type { RangeCheckedCode } from "../shared/operands.ts";
import { rangeChecked } from "../shared/range-checks.ts";
import { RANGE_CHECK_BOUND } from "../shared/under-limit.ts";
import {
  type Halves,
  hintedProduct,
  type Product,
  requireBit,
  requireLess,
  tempCarry,
  tempDifference,
  tempSum,
} from "./division.ts";

/** Cells for sixteen product limbs, and for the cells that only one path uses. */
const RESERVED_CELLS = 18;

/** Bound of signed carries, which are checked to have 16 bits. */
const I16_BOUND = 2n ** 15n;

/**
 * Verifies `value * inverse = 1 + modulus * multiple`, where the inverse is less than the modulus.
 *
 * @returns the products of halves that must be verified later, those of value and inverse first
 */
export function requireInverse(
  code: RangeCheckedCode,
  [b0, b1]: Halves,
  [n0, n1]: Halves,
  [r0, r1]: Halves,
  [k0, k1]: Halves,
): readonly Product[] {
  const { b, rangeCheck } = code;
  for (const limb of [r0, r1, k0, k1]) rangeChecked(b, rangeCheck, limb);
  const high = b.tempvar(b.difference(n1, r1));
  b.addAp(RESERVED_CELLS);
  const cells = { high, low: b.tempvar(), lowMinusOne: b.tempvar() };
  requireLess(code, [r0, n0], cells, false);
  const r0b0 = hintedProduct(b, r0, b0);
  const r0b1 = hintedProduct(b, r0, b1);
  const r1b0 = hintedProduct(b, r1, b0);
  const r1b1 = hintedProduct(b, r1, b1);
  const n0k0 = hintedProduct(b, n0, k0);
  const n0k1 = hintedProduct(b, n0, k1);
  const n1k0 = hintedProduct(b, n1, k0);
  const n1k1 = hintedProduct(b, n1, k1);
  const limb0 = b.tempvar(b.sum(n0k0.low, b.constant(1)));
  const carry0 = tempCarry(b, tempDifference(b, limb0, r0b0.low));
  requireBit(b, carry0);
  const limb1 = tempSum(b, n0k0.high, carry0, n0k1.low, n1k0.low);
  const carry1 = tempCarry(b, tempDifference(b, limb1, r0b0.high, r0b1.low, r1b0.low));
  requireSmall(code, carry1);
  const limb2 = tempSum(b, n0k1.high, carry1, n1k0.high, n1k1.low);
  const carry2 = tempCarry(b, tempDifference(b, limb2, r1b0.high, r0b1.high, r1b1.low));
  requireSmall(code, carry2);
  b.assertEq(r1b1.high, b.sum(n1k1.high, carry2));
  return [r0b0, r0b1, r1b0, r1b1, n0k0, n0k1, n1k0, n1k1];
}

/** Verifies that a carry is a signed 16-bit integer. */
function requireSmall({ b, rangeCheck }: RangeCheckedCode, carry: Var): void {
  rangeChecked(b, rangeCheck, b.tempvar(b.difference(carry, b.constant(-I16_BOUND))));
  const fixed = b.tempvar(b.sum(carry, b.constant(RANGE_CHECK_BOUND - I16_BOUND)));
  rangeChecked(b, rangeCheck, fixed);
}
