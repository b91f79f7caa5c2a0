import { FIELD_PRIME } from "#base/primitives/index.ts";
import { FALLTHROUGH } from "../../casm/code-flow.ts";
import type { Var } from "../../casm/builder-state.ts";
import { noArguments } from "../../libfunc/arguments.ts";
import type { CompiledInvocation, InvocationBuilder } from "../../libfunc/invocation-builder.ts";
import type { Libfunc } from "../../libfunc/libfunc.ts";
import { builtinOutput, forked, sameOutput, tempOutput } from "../../libfunc/signatures.ts";
import type { SpecializationContext } from "../../libfunc/specialization.ts";
import type { GenericArgument } from "../../program/program.ts";
import { cellArgument, rangeCheckedCode, type RangeCheckedCode } from "../shared/operands.ts";
import { rangeChecked, rangeChecksBetween } from "../shared/range-checks.ts";
import { steady } from "../shared/steady.ts";
import { RANGE_CHECK_BOUND } from "../shared/under-limit.ts";

/** High half of the largest felt, `MAX_HIGH * 2^128`. */
const MAX_HIGH = (FIELD_PRIME - 1n) / RANGE_CHECK_BOUND;

/** Converts a felt to a 128-bit integer; branches with the high and the low half if it needs two. */
export function fromFelt252(
  context: SpecializationContext,
  args: readonly GenericArgument[],
): Libfunc {
  noArguments(args);
  const rangeCheck = context.find("RangeCheck");
  const u128 = context.find("u128");
  const pointer = builtinOutput(rangeCheck);
  return {
    signature: forked(
      [rangeCheck, context.find("felt252")],
      { variables: [pointer, sameOutput(u128, 1)], apChange: "other" },
      { variables: [pointer, tempOutput(u128, 0), tempOutput(u128, 1)], apChange: "other" },
    ),
    ...steady({ ap: 1, steps: 2, rangeChecks: 1 }, { ap: 6, steps: 11, rangeChecks: 3 }),
    build: buildFromFelt252,
  };
}

function buildFromFelt252(invocation: InvocationBuilder): CompiledInvocation {
  const code = rangeCheckedCode(invocation, 3);
  const { b, rangeCheck, start } = code;
  const value = cellArgument(b, invocation, 1);
  const isSmall = b.tempvar();
  const limit = b.constant(RANGE_CHECK_BOUND);
  b.hint("TestLessThan", { lhs: value, rhs: limit }, { dst: isSmall });
  b.jumpNz(isSmall, "NoOverflow");
  const { high, low } = splitFelt(code, value, limit);
  b.jumpNz(high, "Overflow");
  b.fail();
  b.label("NoOverflow");
  rangeChecked(b, rangeCheck, value);
  const overflow = [[rangeCheck], [high], [low]];
  return invocation.finish(
    b,
    [
      { label: FALLTHROUGH, outputs: [[rangeCheck], [value]] },
      { label: "Overflow", outputs: overflow, target: invocation.target(1) },
    ],
    rangeChecksBetween(start, rangeCheck),
  );
}

/** Writes a felt as `high * 2^128 + low`, and proves that this is less than the prime. */
function splitFelt(
  { b, rangeCheck }: RangeCheckedCode,
  value: Var,
  limit: Var,
): { readonly high: Var; readonly low: Var } {
  const shifted = b.tempvar();
  const toMax = b.tempvar();
  const reduced = b.tempvar();
  const high = b.tempvar();
  const low = b.tempvar();
  b.hint("DivMod", { lhs: value, rhs: limit }, { quotient: high, remainder: low });
  rangeChecked(b, rangeCheck, high);
  rangeChecked(b, rangeCheck, low);
  b.assertEq(shifted, b.product(high, limit));
  b.assertEq(value, b.sum(shifted, low));
  b.assertEq(toMax, b.sum(high, b.constant(-MAX_HIGH)));
  b.jumpNz(toMax, "HighIsNotMax");
  b.assertEq(reduced, b.sum(low, b.constant(RANGE_CHECK_BOUND - 1n)));
  b.jump("WriteReduced");
  b.label("HighIsNotMax");
  b.assertEq(reduced, b.sum(high, b.constant(RANGE_CHECK_BOUND - MAX_HIGH)));
  b.label("WriteReduced");
  rangeChecked(b, rangeCheck, reduced);
  return { high, low };
}
