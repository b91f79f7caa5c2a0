import { FALLTHROUGH } from "../../casm/code-flow.ts";
import { noArguments } from "../../libfunc/arguments.ts";
import type { CompiledInvocation, InvocationBuilder } from "../../libfunc/invocation-builder.ts";
import type { LibfuncSignature, OutputReference } from "../../libfunc/signature.ts";
import { builtinOutput, forked, tempOutput } from "../../libfunc/signatures.ts";
import type { SpecializationContext, Specialize } from "../../libfunc/specialization.ts";
import { cellArgument, rangeCheckedCode } from "../shared/operands.ts";
import { rangeChecked, rangeChecksBetween } from "../shared/range-checks.ts";
import { buildSmallDifference } from "../shared/small-difference.ts";
import { steady } from "../shared/steady.ts";
import { RANGE_CHECK_BOUND } from "../shared/under-limit.ts";

/**
 * Signature with a range check pointer and two integers; returns the result in another type, or branches with
 * the wrapped result.
 *
 * @param wrapped - location of the wrapped result
 */
export function overflowingSignature(
  context: SpecializationContext,
  type: number,
  result: number,
  wrapped: "temp" | "deferred",
): LibfuncSignature {
  const rangeCheck = context.find("RangeCheck");
  const reference: OutputReference =
    wrapped === "temp" ? { kind: "new_temp_var", index: 0 } : { kind: "deferred" };
  return forked(
    [rangeCheck, type, type],
    { variables: [builtinOutput(rangeCheck), tempOutput(result, 0)], apChange: "other" },
    { variables: [builtinOutput(rangeCheck), { type: result, reference }], apChange: "other" },
  );
}

/**
 * `lhs - rhs`, or `lhs - rhs + limit` if negative.
 *
 * @param output - type of the result
 * @param limit - number of integers of the type
 */
export function overflowingSub(genericId: string, output: string, limit: bigint): Specialize {
  const wrapped = limit === RANGE_CHECK_BOUND ? "temp" : "deferred";
  return (context, args) => {
    noArguments(args);
    const type = context.find(genericId);
    return {
      signature: overflowingSignature(context, type, context.find(output), wrapped),
      ...steady({ ap: 2, steps: 3, rangeChecks: 1 }, { ap: 3, steps: 5, rangeChecks: 1 }),
      build: (invocation) =>
        buildSmallDifference(
          invocation,
          limit,
          ({ rangeCheck, difference }) => [[rangeCheck], [difference]],
          ({ rangeCheck, wrapped: result }) => [[rangeCheck], [result]],
        ),
    };
  };
}

/** `lhs + rhs`, or `lhs + rhs - limit` on overflow; for types of less than 128 bits. */
export function smallOverflowingAdd(genericId: string, limit: bigint): Specialize {
  return (context, args) => {
    noArguments(args);
    const type = context.find(genericId);
    return {
      signature: overflowingSignature(context, type, type, "temp"),
      ...steady({ ap: 3, steps: 4, rangeChecks: 1 }, { ap: 3, steps: 5, rangeChecks: 1 }),
      build: (invocation) => buildSmallOverflowingAdd(invocation, limit),
    };
  };
}

function buildSmallOverflowingAdd(
  invocation: InvocationBuilder,
  bound: bigint,
): CompiledInvocation {
  const { b, rangeCheck, start } = rangeCheckedCode(invocation, 0);
  const lhs = cellArgument(b, invocation, 1);
  const rhs = cellArgument(b, invocation, 2);
  const isInRange = b.tempvar();
  const deferred = b.sum(lhs, rhs);
  const limit = b.constant(bound);
  b.hint("TestLessThan", { lhs: deferred, rhs: limit }, { dst: isInRange });
  b.jumpNz(isInRange, "NoOverflow");
  const above = b.tempvar(deferred);
  const wrapped = b.tempvar(b.difference(above, limit));
  rangeChecked(b, rangeCheck, wrapped);
  b.jump("Target");
  b.label("NoOverflow");
  const fixed = b.tempvar();
  const sum = b.tempvar(deferred);
  b.assertEq(fixed, b.sum(sum, b.constant(RANGE_CHECK_BOUND - bound)));
  rangeChecked(b, rangeCheck, fixed);
  return invocation.finish(
    b,
    [
      { label: FALLTHROUGH, outputs: [[rangeCheck], [sum]] },
      { label: "Target", outputs: [[rangeCheck], [wrapped]], target: invocation.target(1) },
    ],
    rangeChecksBetween(start, rangeCheck),
  );
}
