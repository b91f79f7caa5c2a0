import { FIELD_PRIME } from "#base/primitives/index.ts";
import { typeArgument } from "../../libfunc/arguments.ts";
import type { Libfunc } from "../../libfunc/libfunc.ts";
import type { SpecializationContext } from "../../libfunc/specialization.ts";
import type { GenericArgument } from "../../program/program.ts";
import { reinterpretation } from "../shared/identity.ts";
import { integerRangeOf } from "../shared/integer-ranges.ts";
import { zeroTest } from "../shared/is-zero.ts";
import { nonZeroOf, unsupported } from "../shared/types.ts";

/** Specializes `bounded_int_is_zero`: tests an integer whose type contains zero. */
export function isZero(context: SpecializationContext, args: readonly GenericArgument[]): Libfunc {
  const type = typeArgument(args);
  const { lower, upper } = integerRangeOf(context, type);
  if (lower > 0n || upper <= 0n) unsupported("a type that has zero");
  return zeroTest(type, nonZeroOf(context, type));
}

/**
 * Specializes `bounded_int_wrap_non_zero`: converts an integer to a `NonZero`; its type must not
 * contain zero.
 */
export function wrapNonZero(
  context: SpecializationContext,
  args: readonly GenericArgument[],
): Libfunc {
  const type = typeArgument(args);
  const { lower, upper } = integerRangeOf(context, type);
  if (lower <= 0n && upper > 0n) unsupported("a type that does not have zero");
  if (upper > FIELD_PRIME || lower <= -FIELD_PRIME) unsupported("a type of felts");
  return reinterpretation(type, nonZeroOf(context, type));
}
