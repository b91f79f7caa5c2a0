import { known } from "../../libfunc/ap-change.ts";
import { type ConstCost, regularCost } from "../../libfunc/branch-cost.ts";
import type { Libfunc } from "../../libfunc/libfunc.ts";

/** Constant `ap` change and cost of a branch. */
export interface SteadyBranch extends ConstCost {
  readonly ap: number;
}

/** Tables of a libfunc with constant `ap` changes and costs, one entry per branch. */
export function steady(...branches: readonly SteadyBranch[]): Pick<Libfunc, "apChanges" | "costs"> {
  const apChanges = branches.map(({ ap }) => known(ap));
  const costs = branches.map((branch) => regularCost(branch));
  return { apChanges: () => apChanges, costs: () => costs };
}

/** Tables of a libfunc without code. */
export const FREE = steady({ ap: 0 });
