import type { Var } from "../../casm/builder-state.ts";
import type { CasmBuilder } from "../../casm/casm-builder.ts";
import type { CostCheck } from "../../libfunc/invocation-builder.ts";
import { RANGE_CHECK_BOUND } from "./under-limit.ts";

/**
 * Emits the code that writes a cell to the range check builtin, which proves a value in `[0,
 * 2^128)`, and advances the pointer.
 */
export function rangeChecked(b: CasmBuilder, rangeCheck: Var, value: Var): void {
  b.assertEq(value, b.next(rangeCheck));
}

/** Emits the code that verifies `value < bound`; allocates a cell unless `bound` is 2^128. */
export function requireBelow(b: CasmBuilder, rangeCheck: Var, value: Var, bound: bigint): void {
  const shifted = b.maybeTempvar(b.sum(value, b.constant(RANGE_CHECK_BOUND - bound)));
  rangeChecked(b, rangeCheck, shifted);
}

/** Emits the code that verifies `value >= bound`; allocates a cell unless `bound` is 0. */
export function requireAtLeast(b: CasmBuilder, rangeCheck: Var, value: Var, bound: bigint): void {
  const shifted = b.maybeTempvar(b.difference(value, b.constant(bound)));
  rangeChecked(b, rangeCheck, shifted);
}

/** Cost check for the cells used between two positions of the range check pointer. */
export function rangeChecksBetween(start: Var, end: Var): CostCheck {
  return { builtins: [{ token: "RangeCheck", start, end }] };
}
