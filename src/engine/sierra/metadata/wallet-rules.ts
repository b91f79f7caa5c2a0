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

/** Returns the {@link OwnCost} of a builtin token: the number of its uses in a branch. */
export function precostOf(token: PrecostToken): OwnCost {
  return (cost) => (cost.kind === "regular" ? (cost.precost[token] ?? 0) : 0);
}

/**
 * Solved builtin uses and `ap` moves of a program, from which the constant part of gas is computed.
 */
export interface SteadyInfo {
  /** Number of uses of a builtin that are paid for at a statement. */
  usagesAt(statement: number): TokenUsages;
  /** Cells by which `branch_align` moves `ap`. */
  alignCells(statement: number): number;
}

/** Returns the {@link OwnCost} of the constant part: gas of steps, holes and range checks. */
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
