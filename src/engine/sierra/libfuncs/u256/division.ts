import type { Var } from "../../casm/builder-state.ts";
import type { CasmBuilder } from "../../casm/casm-builder.ts";
import type { RangeCheckedCode } from "../shared/operands.ts";
import { rangeChecked } from "../shared/range-checks.ts";
import { RANGE_CHECK_BOUND } from "../shared/under-limit.ts";

/** Exclusive upper bound of 64-bit integers: 2^64. */
export const U64_BOUND = 2n ** 64n;

/** Halves of 128 bits of an integer. */
export type Halves = readonly [low: Var, high: Var];

/** Two 128-bit integers and the halves of their product. */
export interface Product {
  readonly lhs: Var;
  readonly rhs: Var;
  readonly low: Var;
  readonly high: Var;
}

/**
 * Allocates the cells of a product, filled by a hint. This code does not verify it: the libfunc outputs its
 * {@link guarantee}, which another libfunc verifies.
 */
export function hintedProduct(b: CasmBuilder, lhs: Var, rhs: Var): Product {
  const low = b.tempvar();
  const high = b.tempvar();
  b.hint("WideMul128", { lhs, rhs }, { high, low });
  return { lhs, rhs, low, high };
}

/** Returns the cells of a `U128MulGuarantee`, the claim that a product is right. */
export function guarantee({ lhs, rhs, high, low }: Product): readonly Var[] {
  return [lhs, rhs, high, low];
}

/**
 * Verifies that a 256-bit integer is less than another: by the high halves or, if these are equal, by the low
 * ones.
 *
 * @param cells - the difference of the high halves, which is written, and two cells, which are not
 * @param alignAp - whether the path that does not use those cells must compensate for them
 */
export function requireLess(
  { b, rangeCheck }: RangeCheckedCode,
  lowHalves: readonly [less: Var, more: Var],
  cells: { readonly high: Var; readonly low: Var; readonly lowMinusOne: Var },
  alignAp: boolean,
): void {
  const [less, more] = lowHalves;
  b.jumpNz(cells.high, "HighDiffers");
  b.assertEq(cells.low, b.difference(more, less));
  b.assertEq(cells.lowMinusOne, b.difference(cells.low, b.constant(1)));
  rangeChecked(b, rangeCheck, cells.lowMinusOne);
  b.jump("IsLess");
  b.label("HighDiffers");
  if (alignAp) b.addAp(1);
  rangeChecked(b, rangeCheck, cells.high);
  b.label("IsLess");
}

/** Writes the sum of cells, one addition at a time. */
export function tempSum(b: CasmBuilder, first: Var, ...others: readonly Var[]): Var {
  let sum = first;
  for (const other of others) sum = b.tempvar(b.sum(sum, other));
  return sum;
}

/** Writes the difference of cells, one subtraction at a time. */
export function tempDifference(b: CasmBuilder, first: Var, ...others: readonly Var[]): Var {
  let difference = first;
  for (const other of others) difference = b.tempvar(b.difference(difference, other));
  return difference;
}

/** Writes `limb / 2^128`: the carry of a limb into the next one. */
export function tempCarry(b: CasmBuilder, limb: Var): Var {
  return b.tempvar(b.quotient(limb, b.constant(RANGE_CHECK_BOUND)));
}

/** Verifies that a cell is 0 or 1. */
export function requireBit(b: CasmBuilder, value: Var): void {
  b.assertEq(value, b.product(value, value));
}

/**
 * Product of the highest limbs of a division. It is the quotient's highest limb times the divisor's low half,
 * or the next limb times the divisor's high half; the other factors of the two must be zero. The product has
 * 128 bits, so its smaller factor has 64, which keeps it below the prime.
 *
 * @param quotient - the quotient's two highest limbs
 */
export function highestProduct(
  { b, rangeCheck }: RangeCheckedCode,
  quotient: Halves,
  divisor: Halves,
): Var {
  const [nextLimb, highestLimb] = quotient;
  const [low, high] = divisor;
  const small = b.tempvar();
  const large = b.tempvar();
  b.jumpNz(highestLimb, "DivisorIsLow");
  sortPair(b, [nextLimb, high], small, large, "NextIsLess");
  b.jump("Sorted");
  b.label("DivisorIsLow");
  b.assertEq(high, b.constant(0));
  sortPair(b, [highestLimb, low], small, large, "HighestIsLess");
  b.label("Sorted");
  const fixed = b.tempvar(b.sum(small, b.constant(RANGE_CHECK_BOUND - U64_BOUND)));
  rangeChecked(b, rangeCheck, fixed);
  return b.tempvar(b.product(small, large));
}

/** Writes the smaller and the larger of two values; jumps to `Sorted` when the second is the smaller one. */
function sortPair(
  b: CasmBuilder,
  [first, second]: readonly [Var, Var],
  small: Var,
  large: Var,
  label: string,
): void {
  const isLess = b.tempvar();
  b.hint("TestLessThan", { lhs: first, rhs: second }, { dst: isLess });
  b.jumpNz(isLess, label);
  b.assertEq(small, second);
  b.assertEq(large, first);
  b.jump("Sorted");
  b.label(label);
  b.assertEq(small, first);
  b.assertEq(large, second);
}
