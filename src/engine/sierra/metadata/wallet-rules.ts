import { type BranchCost, constGas, type PrecostToken } from "../libfunc/branch-cost.ts";
import {
  computationSteps,
  type TokenUsages,
  withdrawGasCost,
} from "../libfunc/computation-steps.ts";

/**
 * Gas of one kind that a branch takes by itself: without that of a function that it calls, and
 * without what `withdraw_gas` and the like add or give back.
 */
export type OwnCost = (cost: BranchCost, statement: number) => number;

/** Uses of a builtin. */
export function precostOf(token: PrecostToken): OwnCost {
  return (cost) => (cost.kind === "regular" ? (cost.precost[token] ?? 0) : 0);
}

/** What the steady part depends on: it is solved after the builtins and `ap`. */
export interface SteadyInfo {
  /** How often a builtin is paid for at a statement. */
  usagesAt(statement: number): TokenUsages;
  /** Cells by which `branch_align` moves `ap`. */
  alignCells(statement: number): number;
}

/** Gas of the steady part. */
export function steadyCost(info: SteadyInfo): OwnCost {
  return (cost, statement) => {
    switch (cost.kind) {
      case "regular":
      case "function":
        return constGas(cost.cost);
      case "branch_align":
        return alignGas(info.alignCells(statement));
      case "withdraw_gas":
        return withdrawGasCost(cost, info.usagesAt(statement));
      case "redeposit_gas":
      case "get_unspent_gas":
        return constGas({ steps: computationSteps(false, info.usagesAt(statement)) });
    }
  };
}

/** Gas of moving `ap` over cells that stay empty. */
function alignGas(cells: number): number {
  return cells === 0 ? 0 : constGas({ steps: 1, holes: cells });
}
