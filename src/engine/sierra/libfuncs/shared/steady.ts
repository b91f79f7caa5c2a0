import { known } from "../../libfunc/ap-change.ts";
import { type ConstCost, regularCost } from "../../libfunc/branch-cost.ts";
import type { Libfunc } from "../../libfunc/libfunc.ts";

/** Constant `ap` change and cost of a branch. */
export interface SteadyBranch extends ConstCost {
  readonly ap: number;
}

/**
 * Creates the `ap` changes and costs of a libfunc whose branches have constant ones, in the order
 * of the branches.
 */
export function steady(...branches: readonly SteadyBranch[]): Pick<Libfunc, "apChanges" | "costs"> {
  const apChanges = branches.map(({ ap }) => known(ap));
  const costs = branches.map((branch) => regularCost(branch));
  return { apChanges: () => apChanges, costs: () => costs };
}

/** `ap` change and cost of a libfunc without code: zero, on its only branch. */
export const FREE = steady({ ap: 0 });
