import type { Var } from "../../casm/builder-state.ts";
import type { CasmBuilder } from "../../casm/casm-builder.ts";

/** Coefficient of the curve `y^2 = x^3 + x + CURVE_BETA` over the field. */
const CURVE_BETA = 0x6f21413efbe40de150e596d72f7a8c5609ad26c15c915c1f4cdfcb99cee9e89n;

/**
 * Cells for `x^2`, `x^3` and `x + CURVE_BETA`, with which code computes the right side of the Stark curve's
 * equation.
 */
export type EquationCells = readonly [square: Var, cube: Var, linear: Var];

/** Allocates {@link EquationCells} on the stack. */
export function equationCells(b: CasmBuilder): EquationCells {
  return [b.tempvar(), b.tempvar(), b.tempvar()];
}

/** Writes the code that asserts `result = y^2`, the left side of the Stark curve's equation. */
export function assertLeftSide(b: CasmBuilder, y: Var, result: Var): void {
  b.assertEq(result, b.product(y, y));
}

/**
 * Writes the code that asserts `result = x^3 + x + CURVE_BETA`, the right side of the Stark curve's equation.
 */
export function assertRightSide(
  b: CasmBuilder,
  x: Var,
  [square, cube, linear]: EquationCells,
  result: Var,
): void {
  b.assertEq(square, b.product(x, x));
  b.assertEq(cube, b.product(square, x));
  b.assertEq(linear, b.sum(x, b.constant(CURVE_BETA)));
  b.assertEq(result, b.sum(cube, linear));
}

/** Line through two points with different `x` and slope `rise / run`. */
export interface Line {
  readonly x0: Var;
  readonly y0: Var;
  readonly x1: Var;
  readonly rise: Var;
  /** Non-zero. */
  readonly run: Var;
}

/**
 * Writes the code that adds two points of the Stark curve.
 *
 * @returns coordinates of the sum: the top two cells of the stack
 */
export function sumOfPoints(
  b: CasmBuilder,
  { x0, y0, x1, rise, run }: Line,
): readonly [x: Var, y: Var] {
  const slope = b.tempvar(b.quotient(rise, run));
  const squaredSlope = b.tempvar(b.product(slope, slope));
  const sumOfX = b.tempvar(b.sum(x0, x1));
  const distance = b.tempvar();
  const climb = b.tempvar();
  const x = b.tempvar();
  const y = b.tempvar();
  b.assertEq(x, b.difference(squaredSlope, sumOfX));
  b.assertEq(distance, b.difference(x0, x));
  b.assertEq(climb, b.product(slope, distance));
  b.assertEq(y, b.difference(climb, y0));
  return [x, y];
}
