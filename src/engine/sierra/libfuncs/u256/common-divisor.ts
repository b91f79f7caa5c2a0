import type { Var } from "../../casm/builder-state.ts";
import type { CasmBuilder } from "../../casm/casm-builder.ts";
import type { RangeCheckedCode } from "../shared/operands.ts";
import { rangeChecked } from "../shared/range-checks.ts";
import { RANGE_CHECK_BOUND } from "../shared/under-limit.ts";
import { type Halves, type Product, U64_BOUND } from "./division.ts";

/** Exclusive bound of the sum of two 64-bit integers. */
const SMALL_SUM_BOUND = 2n ** 65n;

/**
 * Emits code that verifies that `divisor` divides `value` and `modulus`, and that `divisor` is more than 1 or
 * `modulus` is 1.
 *
 * @param s - `value / divisor`
 * @param t - `modulus / divisor`
 * @returns the products of low halves that must be verified later
 */
export function requireCommonDivisor(
  code: RangeCheckedCode,
  [b0, b1]: Halves,
  [n0, n1]: Halves,
  divisor: Halves,
  s: Halves,
  t: Halves,
): readonly Product[] {
  const { b, rangeCheck } = code;
  for (const limb of [...divisor, ...s, ...t]) rangeChecked(b, rangeCheck, limb);
  requireMoreThanOne(b, divisor, [n0, n1]);
  const valueProduct = highHalf(b, divisor[0], s[0], b0);
  const modulusProduct = highHalf(b, divisor[0], t[0], n0);
  const { gs, gt, smallSum } = crossProducts(b, divisor, s, t);
  const fixed = b.tempvar(b.sum(smallSum, b.constant(RANGE_CHECK_BOUND - SMALL_SUM_BOUND)));
  rangeChecked(b, rangeCheck, fixed);
  b.assertEq(b1, b.sum(gs, valueProduct.high));
  b.assertEq(n1, b.sum(gt, modulusProduct.high));
  return [valueProduct, modulusProduct];
}

function requireMoreThanOne(b: CasmBuilder, [g0, g1]: Halves, [n0, n1]: Halves): void {
  const minusOne = b.tempvar();
  b.jumpNz(g1, "DivisorIsValid");
  b.assertEq(minusOne, b.difference(g0, b.constant(1)));
  b.jumpNz(minusOne, "DivisorIsValid");
  b.assertEq(n1, b.constant(0));
  b.assertEq(n0, b.constant(1));
  b.label("DivisorIsValid");
}

/** Product with a known low half; a hint fills the cell of the high half. */
function highHalf(b: CasmBuilder, lhs: Var, rhs: Var, low: Var): Product {
  const high = b.tempvar();
  b.hint("WideMul128", { lhs, rhs }, { high, low });
  return { lhs, rhs, low, high };
}

/**
 * Products of mixed halves of the divisor and the quotients. Either the divisor's high half is zero, or the
 * high halves of both quotients are. Each product has 128 bits, so its smaller factor has 64, which is
 * checked on the sum of the small factors.
 */
function crossProducts(
  b: CasmBuilder,
  [g0, g1]: Halves,
  [s0, s1]: Halves,
  [t0, t1]: Halves,
): { readonly gs: Var; readonly gt: Var; readonly smallSum: Var } {
  const gs = b.tempvar();
  const gt = b.tempvar();
  const smallSum = b.tempvar();
  b.jumpNz(g1, "QuotientsAreLow");
  b.assertEq(gs, b.product(s1, g0));
  b.assertEq(gt, b.product(t1, g0));
  writeSmallSum(b, smallSum, g0, [s1, t1], "LowIsSmall");
  b.jump("Merged");
  b.label("QuotientsAreLow");
  b.assertEq(gs, b.product(s0, g1));
  b.assertEq(gt, b.product(t0, g1));
  b.assertEq(s1, b.constant(0));
  b.assertEq(t1, b.constant(0));
  writeSmallSum(b, smallSum, g1, [s0, t0], "HighIsSmall");
  b.label("Merged");
  return { gs, gt, smallSum };
}

/** Writes the divisor's half if it has 64 bits, otherwise the sum of its two factors. */
function writeSmallSum(
  b: CasmBuilder,
  smallSum: Var,
  divisorHalf: Var,
  [s, t]: Halves,
  label: string,
): void {
  const isSmall = b.tempvar();
  b.hint("TestLessThan", { lhs: divisorHalf, rhs: b.constant(U64_BOUND) }, { dst: isSmall });
  b.jumpNz(isSmall, label);
  b.assertEq(smallSum, b.sum(s, t));
  b.jump("Merged");
  b.label(label);
  b.assertEq(smallSum, divisorHalf);
}
