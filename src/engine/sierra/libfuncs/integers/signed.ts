import { FALLTHROUGH } from "../../casm/code-flow.ts";
import type { CompiledInvocation, InvocationBuilder } from "../../libfunc/invocation-builder.ts";
import type { Libfunc } from "../../libfunc/libfunc.ts";
import type { BranchSignature, LibfuncSignature, OutputVariable } from "../../libfunc/signature.ts";
import { builtinOutput, deferredOutput, simpleOutput } from "../../libfunc/signatures.ts";
import type { SpecializationContext } from "../../libfunc/specialization.ts";
import { cellArgument, rangeCheckedCode } from "../shared/operands.ts";
import { rangeChecked, rangeChecksBetween } from "../shared/range-checks.ts";
import { steady } from "../shared/steady.ts";
import { RANGE_CHECK_BOUND } from "../shared/under-limit.ts";

/**
 * Creates the signature of a signed addition or subtraction: it takes a range check pointer and two
 * integers, and branches on underflow and overflow with the wrapped result.
 */
export function signedSignature(context: SpecializationContext, type: number): LibfuncSignature {
  const rangeCheck = context.find("RangeCheck");
  const branch = (result: OutputVariable): BranchSignature => ({
    variables: [builtinOutput(rangeCheck), result],
    apChange: "other",
  });
  const wrapped = branch(deferredOutput(type));
  return {
    params: [rangeCheck, type, type],
    branches: [branch(simpleOutput(type)), wrapped, wrapped],
    fallthrough: 0,
  };
}

/** Whether one range check proves a signed integer: only for a type of 128 bits. */
function isWhole(half: bigint): boolean {
  return 2n * half === RANGE_CHECK_BOUND;
}

/**
 * Returns the `ap` changes and costs, per branch, of the code of {@link buildSignedOverflowing}.
 */
export function signedOverflowingTables(half: bigint): Pick<Libfunc, "apChanges" | "costs"> {
  const outside = { ap: 4, steps: 6, rangeChecks: 1 };
  const inside = isWhole(half)
    ? { ap: 3, steps: 4, rangeChecks: 1 }
    : { ap: 4, steps: 6, rangeChecks: 2 };
  return steady(inside, outside, outside);
}

/**
 * Emits an addition or subtraction of integers in `[-half, half)`.
 *
 * @param half - at most 2^127
 */
export function buildSignedOverflowing(
  invocation: InvocationBuilder,
  half: bigint,
  operation: "sum" | "difference",
): CompiledInvocation {
  const { b, rangeCheck, start } = rangeCheckedCode(invocation, 1);
  const lhs = cellArgument(b, invocation, 1);
  const rhs = cellArgument(b, invocation, 2);
  const value = b.tempvar(b[operation](lhs, rhs));
  const count = b.constant(2n * half);
  const canonical = b.sum(value, b.constant(half));
  const isInRange = b.tempvar();
  b.hint("TestLessThan", { lhs: canonical, rhs: count }, { dst: isInRange });
  b.jumpNz(isInRange, "InRange");
  const isAbove = b.tempvar();
  b.hint("TestLessThan", { lhs: value, rhs: b.constant(RANGE_CHECK_BOUND) }, { dst: isAbove });
  b.jumpNz(isAbove, "IsAbove");
  rangeChecked(b, rangeCheck, b.tempvar(b.sum(value, b.constant(RANGE_CHECK_BOUND + half))));
  const fromBelow = b.sum(value, count);
  b.jump("Below");
  b.label("IsAbove");
  rangeChecked(b, rangeCheck, b.tempvar(b.difference(value, b.constant(half))));
  const fromAbove = b.difference(value, count);
  b.jump("Above");
  b.label("InRange");
  rangeChecked(b, rangeCheck, b.tempvar(canonical));
  if (!isWhole(half)) {
    rangeChecked(b, rangeCheck, b.tempvar(b.sum(value, b.constant(RANGE_CHECK_BOUND - half))));
  }
  return invocation.finish(
    b,
    [
      { label: FALLTHROUGH, outputs: [[rangeCheck], [value]] },
      { label: "Below", outputs: [[rangeCheck], [fromBelow]], target: invocation.target(1) },
      { label: "Above", outputs: [[rangeCheck], [fromAbove]], target: invocation.target(2) },
    ],
    rangeChecksBetween(start, rangeCheck),
  );
}
