import type { Var } from "../../casm/builder-state.ts";
import type { CostCheck } from "../../libfunc/invocation-builder.ts";

/** Cost check for the cells used between two positions of the 96-bit range check pointer. */
export function rangeChecks96Between(start: Var, end: Var): CostCheck {
  return { builtins: [{ token: "RangeCheck96", start, end }] };
}
