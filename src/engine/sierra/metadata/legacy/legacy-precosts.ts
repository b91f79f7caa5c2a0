import { CompileError } from "../../compile-error.ts";
import type { CostToken, PrecostToken } from "../../libfunc/branch-cost.ts";
import { type CostFlow, isRefund, isWithdrawal } from "../cost-flow.ts";
import type { GasSolution } from "../gas-solution.ts";

/**
 * Checks that the rules before Sierra 1.4.0 and the current ones agree on builtins, as the Sierra compiler
 * requires for older programs. Under the older rules, `withdraw_gas` without a price table withdraws no
 * builtins, coupons refund none, and a function of fixed cost uses the builtins of that cost.
 *
 * @param enforced - required cost of each function of fixed cost
 * @throws {CompileError} SIERRA_INVALID when they differ
 */
export function checkLegacyPrecost(
  flow: CostFlow,
  token: PrecostToken,
  { variables, functionCosts }: GasSolution,
  enforced: ReadonlyMap<number, ReadonlyMap<CostToken, number>>,
): void {
  for (const [id, costs] of enforced) {
    const fixed = costs.get(token) ?? 0;
    if (functionCosts[id] !== fixed) refuse(token, `function ${id} does not use ${fixed}`);
  }
  for (const [statement, branches] of flow.branches.entries()) {
    for (const { effect } of branches) {
      const withdraws =
        isWithdrawal(effect) && !(effect.kind === "withdraw_gas" && effect.withTable);
      const refunds = effect.kind === "function" && isRefund(effect);
      const moved = withdraws || refunds ? (variables.get(statement) ?? 0) : 0;
      const called = refunds ? (functionCosts[effect.function] ?? 0) : 0;
      if (moved !== 0 || called !== 0) refuse(token, `statement ${statement} must not move any`);
    }
  }
}

function refuse(token: PrecostToken, what: string): never {
  throw new CompileError("SIERRA_INVALID", `${token} before Sierra 1.4.0: ${what}`);
}
