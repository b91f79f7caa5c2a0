import { FALLTHROUGH } from "../../casm/code-flow.ts";
import { noArguments } from "../../libfunc/arguments.ts";
import type { CompiledInvocation, InvocationBuilder } from "../../libfunc/invocation-builder.ts";
import type { Libfunc } from "../../libfunc/libfunc.ts";
import type { SpecializationContext } from "../../libfunc/specialization.ts";
import type { GenericArgument } from "../../program/program.ts";
import { overflowingSignature } from "../integers/overflowing.ts";
import { cellArgument, rangeCheckedCode } from "../shared/operands.ts";
import { rangeChecked, rangeChecksBetween } from "../shared/range-checks.ts";
import { steady } from "../shared/steady.ts";
import { RANGE_CHECK_BOUND } from "../shared/under-limit.ts";

/** `lhs + rhs`, or `lhs + rhs - 2^128` on overflow. */
export function overflowingAdd(
  context: SpecializationContext,
  args: readonly GenericArgument[],
): Libfunc {
  noArguments(args);
  const type = context.find("u128");
  return {
    signature: overflowingSignature(context, type, type, "temp"),
    ...steady({ ap: 2, steps: 3, rangeChecks: 1 }, { ap: 3, steps: 5, rangeChecks: 1 }),
    build: buildOverflowingAdd,
  };
}

function buildOverflowingAdd(invocation: InvocationBuilder): CompiledInvocation {
  const { b, rangeCheck, start } = rangeCheckedCode(invocation, 0);
  const lhs = cellArgument(b, invocation, 1);
  const rhs = cellArgument(b, invocation, 2);
  const isInRange = b.tempvar();
  const sum = b.tempvar(b.sum(lhs, rhs));
  const limit = b.constant(RANGE_CHECK_BOUND);
  b.hint("TestLessThan", { lhs: sum, rhs: limit }, { dst: isInRange });
  b.jumpNz(isInRange, "NoOverflow");
  const wrapped = b.tempvar(b.difference(sum, limit));
  rangeChecked(b, rangeCheck, wrapped);
  b.jump("Target");
  b.label("NoOverflow");
  rangeChecked(b, rangeCheck, sum);
  return invocation.finish(
    b,
    [
      { label: FALLTHROUGH, outputs: [[rangeCheck], [sum]] },
      { label: "Target", outputs: [[rangeCheck], [wrapped]], target: invocation.target(1) },
    ],
    rangeChecksBetween(start, rangeCheck),
  );
}
