import type { SpecializationContext } from "../../libfunc/specialization.ts";
import type { IntegerRange } from "../../types/concrete-type.ts";
import { integerRangeOf } from "../shared/integer-ranges.ts";

/** Returns the range of an integer type, or of the type inside a `NonZero` type. */
export function maybeNonZero(
  context: SpecializationContext,
  type: number,
): { readonly isNonZero: boolean; readonly range: IntegerRange } {
  const { genericId, data } = context.typeOf(type);
  const isNonZero = genericId === "NonZero" && data.kind === "wrapper";
  return { isNonZero, range: integerRangeOf(context, isNonZero ? data.inner : type) };
}
