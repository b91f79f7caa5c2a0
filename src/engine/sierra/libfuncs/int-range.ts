import { CasmBuilder } from "../casm/casm-builder.ts";
import { FALLTHROUGH } from "../casm/code-flow.ts";
import { typeArgument } from "../libfunc/arguments.ts";
import type { CompiledInvocation, InvocationBuilder } from "../libfunc/invocation-builder.ts";
import { builtinOutput, deferredOutput, forked, simpleOutput } from "../libfunc/signatures.ts";
import type { LibfuncFamily, Specialize } from "../libfunc/specialization.ts";
import { integerRangeOf, isSmall } from "./shared/integer-ranges.ts";
import { cellArgument, cellPair, rangeCheckedCode } from "./shared/operands.ts";
import { rangeChecked, rangeChecksBetween } from "./shared/range-checks.ts";
import { steady } from "./shared/steady.ts";
import { unsupported, wrapped } from "./shared/types.ts";
import { RANGE_CHECK_BOUND } from "./shared/under-limit.ts";

/** Creates the range between two integers; branches, with an empty range, when the end is below the start. */
const intRangeTryNew: Specialize = (context, args) => {
  const integer = typeArgument(args);
  const range = wrapped(context, "IntRange", integer);
  const rangeCheck = context.find("RangeCheck");
  if (!isSmall(integerRangeOf(context, integer))) unsupported("a type of at most 2^128 integers");
  const branch = {
    variables: [builtinOutput(rangeCheck), simpleOutput(range)],
    apChange: "other",
  } as const;
  return {
    signature: forked([rangeCheck, integer, integer], branch, branch),
    ...steady({ ap: 2, steps: 3, rangeChecks: 1 }, { ap: 3, steps: 5, rangeChecks: 1 }),
    build: buildTryNew,
  };
};

function buildTryNew(invocation: InvocationBuilder): CompiledInvocation {
  const { b, rangeCheck, start: rangeCheckStart } = rangeCheckedCode(invocation, 1);
  const start = cellArgument(b, invocation, 1);
  const end = cellArgument(b, invocation, 2);
  const length = b.tempvar(b.difference(end, start));
  const bound = b.constant(RANGE_CHECK_BOUND);
  const isValid = b.tempvar();
  b.hint("TestLessThan", { lhs: length, rhs: bound }, { dst: isValid });
  b.jumpNz(isValid, "Valid");
  rangeChecked(b, rangeCheck, b.tempvar(b.sum(length, bound)));
  b.jump("Failure");
  b.label("Valid");
  rangeChecked(b, rangeCheck, length);
  return invocation.finish(
    b,
    [
      { label: FALLTHROUGH, outputs: [[rangeCheck], [start, end]] },
      { label: "Failure", outputs: [[rangeCheck], [end, end]], target: invocation.target(1) },
    ],
    rangeChecksBetween(rangeCheckStart, rangeCheck),
  );
}

/** Continues when the range is empty; otherwise branches with its first integer and the rest. */
const intRangePopFront: Specialize = (context, args) => {
  const integer = typeArgument(args);
  const range = wrapped(context, "IntRange", integer);
  return {
    signature: forked(
      [range],
      { variables: [], apChange: "other" },
      { variables: [deferredOutput(range), deferredOutput(integer)], apChange: "other" },
    ),
    ...steady({ ap: 1, steps: 2 }, { ap: 1, steps: 2 }),
    build: buildPopFront,
  };
};

function buildPopFront(invocation: InvocationBuilder): CompiledInvocation {
  const b = new CasmBuilder();
  const [start, end] = cellPair(b, invocation, 0);
  const next = b.sum(start, b.constant(1));
  const isNonEmpty = b.tempvar(b.difference(end, start));
  b.jumpNz(isNonEmpty, "NonEmpty");
  return invocation.finish(b, [
    { label: FALLTHROUGH, outputs: [] },
    { label: "NonEmpty", outputs: [[next, end], [start]], target: invocation.target(1) },
  ]);
}

/** Libfuncs of integer ranges. */
export const INT_RANGE_LIBFUNCS: LibfuncFamily = {
  int_range_try_new: intRangeTryNew,
  int_range_pop_front: intRangePopFront,
};
