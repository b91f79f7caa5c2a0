import { FIELD_PRIME } from "#base/primitives/index.ts";
import type { Var } from "../../casm/builder-state.ts";
import type { CasmBuilder } from "../../casm/casm-builder.ts";

const TWO_128 = 1n << 128n;

/** A third and half of the field in units of 2^128, rounded up. */
const THIRD_HIGH = FIELD_PRIME / 3n / TWO_128 + 1n;
const HALF_HIGH = FIELD_PRIME / 2n / TWO_128 + 1n;

/** Emits the code that proves `a < b` for integers in `[0, P)`, with four range checks. */
export function requireLess(b: CasmBuilder, rangeCheck: Var, lower: Var, upper: Var): void {
  const difference = b.tempvar(b.difference(lower, upper));
  b.jumpNz(difference, "KeysDiffer");
  b.fail();
  b.label("KeysDiffer");
  requireNotGreater(b, rangeCheck, lower, upper);
}

/**
 * Proves `0 <= lower <= upper <= P - 1`. Of the three arcs between these four points, two are shown to be
 * short: one less than `P / 3 + 2^129`, one less than `P / 2 + 2^129`. Together they do not wrap around the
 * field. A hint selects the excluded arc; sum and product of the short arcs prove that they are the other
 * two.
 */
function requireNotGreater(b: CasmBuilder, rangeCheck: Var, lower: Var, upper: Var): void {
  const one = b.constant(1);
  const minusOne = b.constant(-1);
  b.hint("AssertLeFindSmallArcs", { range_check_ptr: rangeCheck, a: lower, b: upper });
  const short = arc(b, rangeCheck, THIRD_HIGH);
  const long = arc(b, rangeCheck, HALF_HIGH);
  const sum = b.tempvar(b.sum(short, long));
  const product = b.tempvar(b.product(short, long));
  const keepsFirst = b.tempvar();
  b.hint("AssertLeIsFirstArcExcluded", {}, { skip_exclude_a_flag: keepsFirst });
  b.jumpNz(keepsFirst, "KeepsFirstArc");
  // The arcs are `upper - lower` and `-1 - upper`.
  const minusLower = b.tempvar(b.product(lower, minusOne));
  b.assertEq(sum, b.sum(minusLower, minusOne));
  const minusDistance = b.tempvar(b.difference(lower, upper));
  const upperPlusOne = b.tempvar(b.sum(upper, one));
  b.assertEq(product, b.product(minusDistance, upperPlusOne));
  b.jump("ArcsProven");

  b.label("KeepsFirstArc");
  const keepsSecond = b.tempvar();
  b.hint("AssertLeIsSecondArcExcluded", {}, { skip_exclude_b_minus_a: keepsSecond });
  b.jumpNz(keepsSecond, "KeepsSecondArc");
  // The arcs are `lower` and `-1 - upper`.
  const minusUpper = b.tempvar(b.product(upper, minusOne));
  const minusUpperMinusOne = b.tempvar(b.sum(minusUpper, minusOne));
  b.assertEq(sum, b.sum(lower, minusUpperMinusOne));
  b.assertEq(product, b.product(lower, minusUpperMinusOne));
  b.jump("ArcsProven");

  b.label("KeepsSecondArc");
  // Unused cell, so that all paths move `ap` equally.
  b.tempvar();
  // The arcs are `lower` and `upper - lower`.
  b.assertEq(sum, upper);
  const distance = b.tempvar(b.difference(upper, lower));
  b.assertEq(product, b.product(lower, distance));
  b.label("ArcsProven");
}

/** Length of an arc, at most about `high * 2^128`: two range-checked values, the second one scaled. */
function arc(b: CasmBuilder, rangeCheck: Var, high: bigint): Var {
  const low = b.tempvar(b.next(rangeCheck));
  const unscaledHigh = b.tempvar(b.next(rangeCheck));
  const scaledHigh = b.tempvar(b.product(unscaledHigh, b.constant(high)));
  return b.tempvar(b.sum(low, scaledHigh));
}
