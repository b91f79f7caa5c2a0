import type { CostFlow } from "./cost-flow.ts";
import { isRefund, isWithdrawal } from "./cost-flow.ts";
import { gasNumber } from "./gas-number.ts";
import type { Wallets } from "./wallets.ts";

/**
 * Gas of one token that each statement moves: withdrawn by `withdraw_gas`, burned by `branch_align`, returned
 * by `redeposit_gas` and `coupon_refund`, or reported by `get_unspent_gas`. It is 0 for the other statements
 * of these kinds.
 */
export function gasVariables(flow: CostFlow, wallets: Wallets): ReadonlyMap<number, number> {
  const variables = new Map<number, number>();
  for (const [statement, branches] of flow.branches.entries()) {
    const wallet = wallets.at(statement);
    for (const branch of branches) {
      const { target, effect } = branch;
      if (isWithdrawal(effect)) {
        const gas = wallets.withdrawal(statement, branch);
        variables.set(statement, Math.max(gas, 0));
        variables.set(target, Math.max(-gas, 0));
      } else if (effect.kind === "get_unspent_gas") {
        variables.set(statement, wallet);
      } else if (effect.kind === "redeposit_gas" || isRefund(effect)) {
        variables.set(statement, gasNumber(wallet - wallets.requirement(statement, branch)));
      } else if (branches.length > 1) {
        variables.set(target, gasNumber(wallet - wallets.requirement(statement, branch)));
      }
    }
  }
  return variables;
}
