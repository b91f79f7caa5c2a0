import { invariant } from "#base/errors/index.ts";
import type { Var } from "../../casm/builder-state.ts";
import type { CasmBuilder } from "../../casm/casm-builder.ts";

/** Exclusive upper bound of values that the range check builtin accepts: 2^128. */
export const RANGE_CHECK_BOUND = 1n << 128n;

/** Parameters for splitting values below a limit: `value = scalar * x + y`, where `y` is below `rest`. */
function split(limit: bigint, maxX: bigint): { readonly scalar: bigint; readonly rest: bigint } {
  const parts = { scalar: limit / maxX, rest: limit % maxX };
  invariant(parts.scalar <= parts.rest, "every value under the limit can be split");
  return parts;
}

/**
 * Proves `value < limit` with three range checks: `value = A * x + y`, where `A` and `B` are quotient and
 * remainder of `limit` by `2^128 - 1`, `x < 2^128` and `y < B`. Then falls through.
 *
 * @param cells - four allocated cells that are not written yet
 */
export function proveUnderLimit(
  b: CasmBuilder,
  limit: bigint,
  value: Var,
  rangeCheck: Var,
  cells: readonly [x: Var, y: Var, xPart: Var, yFixed: Var],
): void {
  const maxX = RANGE_CHECK_BOUND - 1n;
  const { scalar, rest } = split(limit, maxX);
  const [x, y, xPart, yFixed] = cells;
  const scalarVar = b.constant(scalar);
  b.hint("LinearSplit", { value, scalar: scalarVar, max_x: b.constant(maxX) }, { x, y });
  b.assertEq(xPart, b.product(x, scalarVar));
  b.assertEq(value, b.sum(xPart, y));
  b.assertEq(x, b.next(rangeCheck));
  b.assertEq(y, b.next(rangeCheck));
  b.assertEq(yFixed, b.sum(y, b.constant(RANGE_CHECK_BOUND - rest)));
  b.assertEq(yFixed, b.next(rangeCheck));
}

/**
 * Like {@link proveUnderLimit}, for limits that it cannot split: divides by `2^128 - 2`, with `x < 2^128 -
 * 1`. Then jumps to the label `Done`.
 *
 * @param cells - five allocated cells that are not written yet
 */
export function proveUnderLimitThenDone(
  b: CasmBuilder,
  limit: bigint,
  value: Var,
  rangeCheck: Var,
  cells: readonly [x: Var, y: Var, xPart: Var, yFixed: Var, difference: Var],
): void {
  const maxX = RANGE_CHECK_BOUND - 2n;
  const { scalar, rest } = split(limit, maxX);
  const [x, y, xPart, yFixed, difference] = cells;
  const scalarVar = b.constant(scalar);
  b.hint("LinearSplit", { value, scalar: scalarVar, max_x: b.constant(maxX) }, { x, y });
  b.assertEq(xPart, b.product(x, scalarVar));
  b.assertEq(value, b.sum(xPart, y));
  b.assertEq(y, b.next(rangeCheck));
  b.assertEq(yFixed, b.sum(y, b.constant(RANGE_CHECK_BOUND - rest)));
  b.assertEq(yFixed, b.next(rangeCheck));
  b.assertEq(x, b.next(rangeCheck));
  b.assertEq(difference, b.difference(x, b.constant(RANGE_CHECK_BOUND - 1n)));
  b.jumpNz(difference, "Done");
  b.fail();
}
