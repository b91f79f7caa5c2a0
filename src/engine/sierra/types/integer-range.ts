import { FIELD_PRIME } from "#base/primitives/index.ts";
import { CompileError } from "../compile-error.ts";
import type { GenericArgument } from "../program/program.ts";
import type { IntegerRange } from "./concrete-type.ts";

const UNSIGNED_BITS = [8n, 16n, 32n, 64n, 128n];

/** Integer types without arguments, by generic id. */
export const INTEGER_RANGES: ReadonlyMap<string, IntegerRange> = new Map([
  ...UNSIGNED_BITS.map((bits) => [`u${bits}`, { lower: 0n, upper: 1n << bits }] as const),
  ...UNSIGNED_BITS.map(
    (bits) => [`i${bits}`, { lower: -(1n << (bits - 1n)), upper: 1n << (bits - 1n) }] as const,
  ),
]);

/** Types without arguments that hold a number. */
const NUMBER_RANGES: ReadonlyMap<string, IntegerRange> = new Map([
  ...INTEGER_RANGES,
  ["felt252", { lower: 1n - FIELD_PRIME, upper: FIELD_PRIME }],
  ["bytes31", { lower: 0n, upper: 1n << 248n }],
]);

/**
 * Numbers that a type can hold: an integer type, `BoundedInt`, `bytes31` or `felt252`. For `felt252` it is
 * from `1 - P` to `P - 1`, wider than the field.
 *
 * @throws {CompileError} SIERRA_SPECIALIZATION for any other type
 */
export function rangeOf(type: {
  readonly genericId: string;
  readonly args: readonly GenericArgument[];
}): IntegerRange {
  if (type.args.length === 0) {
    const range = NUMBER_RANGES.get(type.genericId);
    if (range !== undefined) return range;
  } else if (type.genericId === "BoundedInt") {
    return boundsOf(type.args);
  }
  throw new CompileError("SIERRA_SPECIALIZATION", `${type.genericId} is not a type of integers`);
}

/**
 * Range of a `BoundedInt`, from its arguments: minimum and maximum.
 *
 * @throws {CompileError} SIERRA_SPECIALIZATION when they are not two ordered numbers, or exceed the field
 */
export function boundsOf(args: readonly GenericArgument[]): IntegerRange {
  const [lowest, highest] = args;
  if (args.length === 2 && lowest?.kind === "value" && highest?.kind === "value") {
    const range = { lower: lowest.value, upper: highest.value + 1n };
    if (
      range.lower > -FIELD_PRIME &&
      range.lower < range.upper &&
      range.upper <= FIELD_PRIME &&
      rangeSize(range) <= FIELD_PRIME
    ) {
      return range;
    }
  }
  throw new CompileError(
    "SIERRA_SPECIALIZATION",
    "expected generic arguments: two numbers in order, not further apart than the field allows",
  );
}

/** Number of integers in a range. */
export function rangeSize({ lower, upper }: IntegerRange): bigint {
  return upper - lower;
}

/** Whether a number is in a range. */
export function inRange(value: bigint, { lower, upper }: IntegerRange): boolean {
  return value >= lower && value < upper;
}
