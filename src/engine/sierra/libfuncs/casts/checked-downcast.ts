import type { Var } from "../../casm/builder-state.ts";
import { FALLTHROUGH } from "../../casm/code-flow.ts";
import { CompileError } from "../../compile-error.ts";
import type { CompiledInvocation, InvocationBuilder } from "../../libfunc/invocation-builder.ts";
import type { IntegerRange } from "../../types/concrete-type.ts";
import { cellArgument, rangeCheckedCode, type RangeCheckedCode } from "../shared/operands.ts";
import { rangeChecksBetween, requireAtLeast, requireBelow } from "../shared/range-checks.ts";
import { RANGE_CHECK_BOUND } from "../shared/under-limit.ts";

/** Sides on which a type has values that the target type does not contain. */
export interface Overflows {
  readonly above: boolean;
  readonly below: boolean;
}

/**
 * Emits a conversion that may fail, between types of at most 2^128 values each.
 *
 * @throws {CompileError} SIERRA_INVALID when a bound is 2^128: its check would use less than the tables
 *   declare, and the network accepts no such code
 */
export function buildCheckedDowncast(
  invocation: InvocationBuilder,
  target: IntegerRange,
  { above, below }: Overflows,
): CompiledInvocation {
  const hasWideBound = above
    ? target.upper === RANGE_CHECK_BOUND
    : target.lower === RANGE_CHECK_BOUND;
  if (hasWideBound) throw new CompileError("SIERRA_INVALID", "a downcast to a bound of 2^128");
  const code = rangeCheckedCode(invocation, 1);
  const { b, rangeCheck, start } = code;
  const value = cellArgument(b, invocation, 1);
  if (above && below) checkBothSides(code, value, target);
  else if (above) checkAbove(code, value, target.upper);
  else checkBelow(code, value, target.lower);
  return invocation.finish(
    b,
    [
      { label: FALLTHROUGH, outputs: [[rangeCheck], [value]] },
      { label: "Failure", outputs: [[rangeCheck]], target: invocation.target(1) },
    ],
    rangeChecksBetween(start, rangeCheck),
  );
}

/** A negative difference is a felt above 2^128: the value is valid if the difference is not below 2^128. */
function checkAbove({ b, rangeCheck }: RangeCheckedCode, value: Var, bound: bigint): void {
  const rhs = b.sum(value, b.constant(-bound));
  const isValid = b.tempvar();
  b.hint("TestLessThanOrEqual", { lhs: b.constant(RANGE_CHECK_BOUND), rhs }, { dst: isValid });
  b.jumpNz(isValid, "Success");
  requireAtLeast(b, rangeCheck, value, bound);
  b.jump("Failure");
  b.label("Success");
  requireBelow(b, rangeCheck, value, bound);
}

function checkBelow({ b, rangeCheck }: RangeCheckedCode, value: Var, bound: bigint): void {
  const lhs = b.sum(value, b.constant(-bound));
  const isValid = b.tempvar();
  b.hint("TestLessThan", { lhs, rhs: b.constant(RANGE_CHECK_BOUND) }, { dst: isValid });
  b.jumpNz(isValid, "Success");
  requireBelow(b, rangeCheck, value, bound);
  b.jump("Failure");
  b.label("Success");
  requireAtLeast(b, rangeCheck, value, bound);
}

function checkBothSides(code: RangeCheckedCode, value: Var, { lower, upper }: IntegerRange): void {
  const { b, rangeCheck } = code;
  const lhs = b.sum(value, b.constant(-lower));
  const isValid = b.tempvar();
  b.hint("TestLessThan", { lhs, rhs: b.constant(upper - lower) }, { dst: isValid });
  b.jumpNz(isValid, "Success");
  const isAbove = b.tempvar();
  b.hint("TestLessThan", { lhs, rhs: b.constant(RANGE_CHECK_BOUND) }, { dst: isAbove });
  b.jumpNz(isAbove, "OverflowAbove");
  const before = b.apChange;
  requireBelow(b, rangeCheck, value, lower);
  fail(code, before);
  b.label("OverflowAbove");
  const beforeAbove = b.apChange;
  requireAtLeast(b, rangeCheck, value, upper);
  fail(code, beforeAbove);
  b.label("Success");
  requireAtLeast(b, rangeCheck, value, lower);
  requireBelow(b, rangeCheck, value, upper);
}

/** Jumps to the failure. Allocates a cell if the check allocated none, so that both paths agree on `ap`. */
function fail({ b }: RangeCheckedCode, apBefore: number): void {
  if (b.apChange === apBefore) b.tempvar();
  b.jump("Failure");
}
