import { FALLTHROUGH } from "../../casm/code-flow.ts";
import type { CompiledInvocation, InvocationBuilder } from "../../libfunc/invocation-builder.ts";
import type { Libfunc } from "../../libfunc/libfunc.ts";
import type { BranchSignature } from "../../libfunc/signature.ts";
import { builtinOutput, forked, sameOutput } from "../../libfunc/signatures.ts";
import type { SpecializationContext } from "../../libfunc/specialization.ts";
import type { GenericArgument } from "../../program/program.ts";
import type { IntegerRange } from "../../types/concrete-type.ts";
import { typeAndValue } from "../shared/argument-pairs.ts";
import { boundedIntType, isSmall } from "../shared/integer-ranges.ts";
import { cellArgument, rangeCheckedCode } from "../shared/operands.ts";
import { rangeChecked, rangeChecksBetween } from "../shared/range-checks.ts";
import { steady } from "../shared/steady.ts";
import { nonZeroOf, unsupported } from "../shared/types.ts";
import { RANGE_CHECK_BOUND } from "../shared/under-limit.ts";
import { maybeNonZero } from "./non-zero.ts";

/**
 * Specializes `bounded_int_constrain`: continues when an integer is below a boundary, otherwise
 * branches; each branch narrows the type to its part of the values.
 */
export function constrain(
  context: SpecializationContext,
  args: readonly GenericArgument[],
): Libfunc {
  const [type, boundary] = typeAndValue(args);
  const { isNonZero, range } = maybeNonZero(context, type);
  if (range.lower >= boundary || boundary >= range.upper) unsupported("a boundary within the type");
  const low: IntegerRange = { lower: range.lower, upper: boundary };
  const high: IntegerRange = { lower: boundary, upper: range.upper };
  if (!isSmall(low) || !isSmall(high)) unsupported("at most 2^128 values on each side");
  const rangeCheck = context.find("RangeCheck");
  const branch = (half: IntegerRange): BranchSignature => {
    const bounded = boundedIntType(context, half);
    const result = isNonZero ? nonZeroOf(context, bounded) : bounded;
    return { variables: [builtinOutput(rangeCheck), sameOutput(result, 1)], apChange: "other" };
  };
  const under = boundary === RANGE_CHECK_BOUND ? 0 : 1;
  const over = boundary === 0n ? 0 : 1;
  return {
    signature: forked([rangeCheck, type], branch(low), branch(high)),
    ...steady(
      { ap: 1 + under, steps: 2 + under, rangeChecks: 1 },
      { ap: 1 + over, steps: 3 + over, rangeChecks: 1 },
    ),
    build: (invocation) => buildConstrain(invocation, boundary),
  };
}

function buildConstrain(invocation: InvocationBuilder, boundary: bigint): CompiledInvocation {
  const { b, rangeCheck, start } = rangeCheckedCode(invocation, 1);
  const value = cellArgument(b, invocation, 1);
  const isUnder = b.tempvar();
  const canonical = b.sum(value, b.constant(-boundary));
  b.hint(
    "TestLessThanOrEqual",
    { lhs: b.constant(RANGE_CHECK_BOUND), rhs: canonical },
    { dst: isUnder },
  );
  b.jumpNz(isUnder, "Under");
  rangeChecked(b, rangeCheck, b.maybeTempvar(canonical));
  b.jump("Over");
  b.label("Under");
  const fixed = b.maybeTempvar(b.sum(value, b.constant(RANGE_CHECK_BOUND - boundary)));
  rangeChecked(b, rangeCheck, fixed);
  return invocation.finish(
    b,
    [
      { label: FALLTHROUGH, outputs: [[rangeCheck], [value]] },
      { label: "Over", outputs: [[rangeCheck], [value]], target: invocation.target(1) },
    ],
    rangeChecksBetween(start, rangeCheck),
  );
}
