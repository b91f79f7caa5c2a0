import { type BranchCost, constGas, type PrecostToken } from "../libfunc/branch-cost.ts";
import {
  computationSteps,
  type TokenUsages,
  withdrawGasCost,
} from "../libfunc/computation-steps.ts";

/**
 * Gas of one token that a branch itself takes: without the cost of a called function, and without the amounts
 * that `withdraw_gas` and similar libfuncs add or return.
 */
export type OwnCost = (cost: BranchCost, statement: number) => number;

/** Number of uses of a builtin. */
export function precostOf(token: PrecostToken): OwnCost {
  return (cost) => (cost.kind === "regular" ? (cost.precost[token] ?? 0) : 0);
}

/** Inputs of the constant part: it is solved after the builtins and `ap`. */
export interface SteadyInfo {
  /** Number of uses of a builtin that are paid for at a statement. */
  usagesAt(statement: number): TokenUsages;
  /** Cells by which `branch_align` moves `ap`. */
  alignCells(statement: number): number;
}

/** Gas of the constant part. */
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

/** Gas for moving `ap` over cells that stay empty. */
function alignGas(cells: number): number {
  return cells === 0 ? 0 : constGas({ steps: 1, holes: cells });
}
