import { FIELD_PRIME } from "#base/primitives/index.ts";
import type { InvocationBuilder } from "../../libfunc/invocation-builder.ts";
import type { Libfunc } from "../../libfunc/libfunc.ts";
import { builtinOutput, forked, sameOutput } from "../../libfunc/signatures.ts";
import type { SpecializationContext } from "../../libfunc/specialization.ts";
import type { GenericArgument } from "../../program/program.ts";
import type { IntegerRange } from "../../types/concrete-type.ts";
import { rangeSize } from "../../types/integer-range.ts";
import { typePair } from "../shared/argument-pairs.ts";
import { integerRangeOf, isAnyFelt, isSmall } from "../shared/integer-ranges.ts";
import { cellArgument, rangeCheckedCode } from "../shared/operands.ts";
import { buildRangeReduction, rangeReductionTables } from "../shared/range-reduction.ts";
import { steady } from "../shared/steady.ts";
import { unsupported } from "../shared/types.ts";
import { RANGE_CHECK_BOUND } from "../shared/under-limit.ts";
import { buildCheckedDowncast, type Overflows } from "./checked-downcast.ts";

/** Exclusive bound of a range's size such that every felt outside it can be split by 2^128 - 2. */
const SPLITTABLE_SIZE = FIELD_PRIME % (RANGE_CHECK_BOUND - 1n);

/**
 * Specializes `downcast`: converts an integer to another type; branches if that type does not
 * contain it.
 */
export function downcast(
  context: SpecializationContext,
  args: readonly GenericArgument[],
): Libfunc {
  const [from, to] = typePair(args);
  const source = integerRangeOf(context, from);
  // Restricted to the source's values, so that a felt and an equivalent negative number are not both valid.
  const target = intersection(integerRangeOf(context, to), source);
  if (!isSmall(target)) unsupported("a target of at most 2^128 values");
  const isFelt = isAnyFelt(source);
  if (!isSmall(source) && !(isFelt && rangeSize(target) < SPLITTABLE_SIZE)) {
    unsupported("a source of at most 2^128 values, or felts and a smaller target");
  }
  const rangeCheck = context.find("RangeCheck");
  const signature = forked(
    [rangeCheck, from],
    { variables: [builtinOutput(rangeCheck), sameOutput(to, 1)], apChange: "other" },
    { variables: [builtinOutput(rangeCheck)], apChange: "other" },
  );
  if (isFelt) {
    return {
      signature,
      ...rangeReductionTables(target),
      build: (invocation) => buildRangeReduction(invocation, target),
    };
  }
  const overflows = overflowsOf(source, target, from === to);
  return {
    signature,
    ...tablesOf(overflows, target),
    build: (invocation) =>
      overflows.above || overflows.below
        ? buildCheckedDowncast(invocation, target, overflows)
        : buildUnchecked(invocation),
  };
}

function intersection(a: IntegerRange, b: IntegerRange): IntegerRange {
  const lower = a.lower > b.lower ? a.lower : b.lower;
  const upper = a.upper < b.upper ? a.upper : b.upper;
  return lower < upper ? { lower, upper } : unsupported("types with values in common");
}

/**
 * An unsigned type is checked even against itself, for compatibility with the time when only unsigned types
 * existed.
 */
function overflowsOf(source: IntegerRange, target: IntegerRange, isSame: boolean): Overflows {
  if (isSame && source.lower === 0n) return { above: true, below: false };
  return { above: target.upper < source.upper, below: target.lower > source.lower };
}

/** The check of a bound takes an additional cell and step unless the bound is zero. */
function tablesOf(
  { above, below }: Overflows,
  { lower, upper }: IntegerRange,
): Pick<Libfunc, "apChanges" | "costs"> {
  const atLower = lower === 0n ? 0 : 1;
  const atUpper = upper === 0n ? 0 : 1;
  if (above && below) {
    return steady(
      { ap: 2 + atLower, steps: 4 + atLower, rangeChecks: 2 },
      { ap: 3, steps: 5, rangeChecks: 1 },
    );
  }
  if (above) {
    return steady(
      { ap: 2, steps: 3, rangeChecks: 1 },
      { ap: 1 + atUpper, steps: 3 + atUpper, rangeChecks: 1 },
    );
  }
  if (below) {
    return steady(
      { ap: 1 + atLower, steps: 2 + atLower, rangeChecks: 1 },
      { ap: 2, steps: 4, rangeChecks: 1 },
    );
  }
  return steady({ ap: 0 }, { ap: 0 });
}

/** Validates the argument forms as a check would, although no check is needed. */
function buildUnchecked(invocation: InvocationBuilder) {
  cellArgument(rangeCheckedCode(invocation, 1).b, invocation, 1);
  const [pointer = [], value = []] = invocation.args;
  return invocation.finishPlain([], [], [[pointer, value], [pointer]]);
}
