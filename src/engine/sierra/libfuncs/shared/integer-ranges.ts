import { FIELD_PRIME } from "#base/primitives/index.ts";
import type { SpecializationContext } from "../../libfunc/specialization.ts";
import type { GenericArgument } from "../../program/program.ts";
import type { IntegerRange } from "../../types/concrete-type.ts";
import { rangeOf, rangeSize } from "../../types/integer-range.ts";
import { RANGE_CHECK_BOUND } from "./under-limit.ts";

/** Range of a type. @throws {CompileError} when it is not a type of integers, felts or 31 bytes */
export function integerRangeOf(context: SpecializationContext, type: number): IntegerRange {
  const concrete = context.typeOf(type);
  return concrete.data.kind === "integer" && concrete.genericId !== "BoundedIntGuarantee"
    ? concrete.data.range
    : rangeOf(concrete);
}

/** Whether one range check can cover a range. */
export function isSmall(range: IntegerRange): boolean {
  return rangeSize(range) <= RANGE_CHECK_BOUND;
}

/** Whether a range contains every felt. */
export function isAnyFelt(range: IntegerRange): boolean {
  return rangeSize(range) >= FIELD_PRIME;
}

/** `BoundedInt` of a range. @throws {CompileError} when the program does not declare it */
export function boundedIntType(
  context: SpecializationContext,
  { lower, upper }: IntegerRange,
): number {
  return context.find("BoundedInt", boundArgs(lower, upper - 1n));
}

/** Generic arguments of a bounded type: its minimum and maximum. */
export function boundArgs(min: bigint, max: bigint): GenericArgument[] {
  return [
    { kind: "value", value: min },
    { kind: "value", value: max },
  ];
}
