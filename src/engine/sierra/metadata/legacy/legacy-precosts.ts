import { CompileError } from "../../compile-error.ts";
import type { CostToken, PrecostToken } from "../../libfunc/branch-cost.ts";
import { type CostFlow, isRefund, isWithdrawal } from "../cost-flow.ts";
import type { GasSolution } from "../gas-solution.ts";

/**
 * Checks that builtins come out by the rules before Sierra 1.4.0 as they do by those since, which the
 * Sierra compiler asks of older programs. By the older rules `withdraw_gas` without a table of prices
 * withdraws no builtins, coupons give none back, and a function of fixed cost uses those of its cost.
 *
 * @param enforced - per function of fixed cost: that cost
 * @throws {CompileError} SIERRA_INVALID when they come out differently
 */
export function checkLegacyPrecost(
  flow: CostFlow,
  token: PrecostToken,
  { variables, functionCosts }: GasSolution,
  enforced: ReadonlyMap<number, ReadonlyMap<CostToken, number>>,
): void {
  for (const [id, costs] of enforced) {
    const fixed = costs.get(token) ?? 0;
    if (functionCosts[id] !== fixed) refuse(token, `function ${id} uses other than ${fixed}`);
  }
  for (const [statement, branches] of flow.branches.entries()) {
    for (const { effect } of branches) {
      const withdraws =
        isWithdrawal(effect) && !(effect.kind === "withdraw_gas" && effect.withTable);
      const refunds = effect.kind === "function" && isRefund(effect);
      const moved = withdraws || refunds ? (variables.get(statement) ?? 0) : 0;
      const called = refunds ? (functionCosts[effect.function] ?? 0) : 0;
      if (moved !== 0 || called !== 0) refuse(token, `statement ${statement} moves some`);
    }
  }
}

function refuse(token: PrecostToken, what: string): never {
  throw new CompileError("SIERRA_INVALID", `${token} before Sierra 1.4.0: ${what}`);
}
