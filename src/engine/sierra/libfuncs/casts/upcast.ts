import type { Libfunc } from "../../libfunc/libfunc.ts";
import type { SpecializationContext } from "../../libfunc/specialization.ts";
import type { GenericArgument } from "../../program/program.ts";
import { typePair } from "../shared/argument-pairs.ts";
import { reinterpretation } from "../shared/identity.ts";
import { integerRangeOf } from "../shared/integer-ranges.ts";
import { unsupported } from "../shared/types.ts";

/**
 * Specializes `upcast`: converts an integer to a type whose range includes the range of the source
 * type.
 */
export function upcast(context: SpecializationContext, args: readonly GenericArgument[]): Libfunc {
  const [from, to] = typePair(args);
  const source = integerRangeOf(context, from);
  const target = integerRangeOf(context, to);
  if (target.lower > source.lower || source.upper > target.upper) {
    unsupported("a type with every value of the first one");
  }
  return reinterpretation(from, to);
}
