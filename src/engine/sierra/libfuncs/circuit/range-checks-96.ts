import type { Var } from "../../casm/builder-state.ts";
import type { CostCheck } from "../../libfunc/invocation-builder.ts";

/** Between two positions of the pointer of the builtin for 96 bits, its cells were used. */
export function rangeChecks96Between(start: Var, end: Var): CostCheck {
  return { builtins: [{ token: "RangeCheck96", start, end }] };
}
