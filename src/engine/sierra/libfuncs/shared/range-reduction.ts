import { FIELD_PRIME } from "#base/primitives/index.ts";
import { FALLTHROUGH } from "../../casm/code-flow.ts";
import type { CompiledInvocation, InvocationBuilder } from "../../libfunc/invocation-builder.ts";
import type { Libfunc } from "../../libfunc/libfunc.ts";
import type { IntegerRange } from "../../types/concrete-type.ts";
import { cellArgument, rangeCheckedCode } from "./operands.ts";
import { rangeChecked, rangeChecksBetween } from "./range-checks.ts";
import { steady } from "./steady.ts";
import { proveUnderLimitThenDone, RANGE_CHECK_BOUND } from "./under-limit.ts";

/** Returns the `ap` changes and costs, per branch, of the code of {@link buildRangeReduction}. */
export function rangeReductionTables({
  lower,
  upper,
}: IntegerRange): Pick<Libfunc, "apChanges" | "costs"> {
  const isWide = upper - lower === RANGE_CHECK_BOUND;
  const shift = lower === 0n ? 0 : 1;
  const extra = isWide || upper === RANGE_CHECK_BOUND ? 0 : 1;
  const outside = upper === 0n ? 0 : 1;
  const checks = isWide ? 1 : 2;
  return steady(
    { ap: 1 + shift + extra, steps: 1 + checks + shift + extra, rangeChecks: checks },
    { ap: 6 + outside, steps: 9 + outside, rangeChecks: 3 },
  );
}

/**
 * Emits a libfunc that takes any felt and continues when it is in a range of at most 2^128 integers;
 * otherwise branches.
 *
 * @param range - must be such that {@link proveUnderLimitThenDone} can split the values outside it
 */
export function buildRangeReduction(
  invocation: InvocationBuilder,
  { lower, upper }: IntegerRange,
): CompiledInvocation {
  const { b, rangeCheck, start } = rangeCheckedCode(invocation, 0);
  const value = cellArgument(b, invocation, 1);
  const size = upper - lower;
  const toZero = b.constant(-lower);
  const inRange = b.tempvar();
  b.hint("TestLessThan", { lhs: b.sum(value, toZero), rhs: b.constant(size) }, { dst: inRange });
  b.jumpNz(inRange, "InRange");
  const above = b.maybeTempvar(b.difference(value, b.constant(upper)));
  const cells = [b.tempvar(), b.tempvar(), b.tempvar(), b.tempvar(), b.tempvar()] as const;
  proveUnderLimitThenDone(b, FIELD_PRIME - size, above, rangeCheck, cells);
  b.label("InRange");
  rangeChecked(b, rangeCheck, b.maybeTempvar(b.sum(value, toZero)));
  if (size < RANGE_CHECK_BOUND) {
    const fixed = b.maybeTempvar(b.sum(value, b.constant(RANGE_CHECK_BOUND - upper)));
    rangeChecked(b, rangeCheck, fixed);
  }
  return invocation.finish(
    b,
    [
      { label: FALLTHROUGH, outputs: [[rangeCheck], [value]] },
      { label: "Done", outputs: [[rangeCheck]], target: invocation.target(1) },
    ],
    rangeChecksBetween(start, rangeCheck),
  );
}
