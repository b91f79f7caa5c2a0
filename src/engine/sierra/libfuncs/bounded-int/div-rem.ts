import type { Libfunc } from "../../libfunc/libfunc.ts";
import { builtinOutput, simpleOutput, straight } from "../../libfunc/signatures.ts";
import type { SpecializationContext } from "../../libfunc/specialization.ts";
import type { GenericArgument } from "../../program/program.ts";
import { buildDivRem, divRemAlgorithm, divRemTables } from "../integers/div-rem.ts";
import { typePair } from "../shared/argument-pairs.ts";
import { boundedIntType, integerRangeOf } from "../shared/integer-ranges.ts";
import { nonZeroOf, unsupported } from "../shared/types.ts";

/**
 * Specializes `bounded_int_div_rem`: quotient and remainder of non-negative integers; the result
 * types contain all possible results.
 */
export function divRem(context: SpecializationContext, args: readonly GenericArgument[]): Libfunc {
  const [left, right] = typePair(args);
  const dividend = integerRangeOf(context, left);
  const divisor = integerRangeOf(context, right);
  if (dividend.lower < 0n || divisor.lower < 0n || divisor.upper < 2n) {
    unsupported("a dividend that is not negative and a divisor that can be positive");
  }
  const algorithm = divRemAlgorithm(dividend, divisor) ?? unsupported("smaller types to divide");
  const leastDivisor = divisor.lower > 1n ? divisor.lower : 1n;
  const quotient = boundedIntType(context, {
    lower: dividend.lower / (divisor.upper - 1n),
    upper: (dividend.upper - 1n) / leastDivisor + 1n,
  });
  const remainder = boundedIntType(context, { lower: 0n, upper: divisor.upper - 1n });
  const rangeCheck = context.find("RangeCheck");
  const outputs = [builtinOutput(rangeCheck), simpleOutput(quotient), simpleOutput(remainder)];
  return {
    signature: straight([rangeCheck, left, nonZeroOf(context, right)], outputs, "other"),
    ...divRemTables(algorithm),
    build: (invocation) => buildDivRem(invocation, algorithm),
  };
}
