import { known } from "../../libfunc/ap-change.ts";
import { type ConstCost, regularCost } from "../../libfunc/branch-cost.ts";
import type { Libfunc } from "../../libfunc/libfunc.ts";

/** What a branch always does to `ap`, and what it always costs. */
export interface SteadyBranch extends ConstCost {
  readonly ap: number;
}

/** The tables of a libfunc that depend on nothing, one entry per branch. */
export function steady(...branches: readonly SteadyBranch[]): Pick<Libfunc, "apChanges" | "costs"> {
  const apChanges = branches.map(({ ap }) => known(ap));
  const costs = branches.map((branch) => regularCost(branch));
  return { apChanges: () => apChanges, costs: () => costs };
}

/** The tables of a libfunc without code. */
export const FREE = steady({ ap: 0 });
