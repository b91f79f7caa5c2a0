import type { BranchCost } from "../libfunc/branch-cost.ts";
import type { CostFlow } from "./cost-flow.ts";
import { isWithdrawal } from "./cost-flow.ts";
import { gasNumber } from "./gas-number.ts";
import type { FlowBranch } from "./program-flow.ts";
import type { OwnCost } from "./wallet-rules.ts";

/**
 * Gas of one token that must be in the wallet at each statement: the maximum that one of its branches takes
 * until the end of the function, or until the next `withdraw_gas`.
 */
export class Wallets {
  readonly #flow: CostFlow;
  readonly #ownCost: OwnCost;
  readonly #values: Int32Array;
  /** Wallets as seen by predecessors: the computed values, or the enforced ones. */
  readonly #incoming: Int32Array;
  readonly #isEnforced: Uint8Array;

  /** @param enforced - wallet of a statement as its predecessors must see it */
  constructor(flow: CostFlow, ownCost: OwnCost, enforced: ReadonlyMap<number, number>) {
    this.#flow = flow;
    this.#ownCost = ownCost;
    this.#values = new Int32Array(flow.branches.length);
    this.#incoming = new Int32Array(flow.branches.length);
    this.#isEnforced = new Uint8Array(flow.branches.length);
    for (const [statement, gas] of enforced) {
      this.#incoming[statement] = gasNumber(gas);
      this.#isEnforced[statement] = 1;
    }
  }

  /**
   * Computes all wallets.
   *
   * @param targets - amount to which each statement's wallet should rise if gas can be burned or returned: at
   *   statements with several branches and at `redeposit_gas`
   * @throws {CompileError} SIERRA_INVALID when gas does not fit in 32 bits
   */
  fill(targets?: ArrayLike<number>): void {
    for (const statement of this.#flow.byNeed) {
      const branches = this.#flow.branches[statement] ?? [];
      let value = 0;
      for (const branch of branches) {
        value = Math.max(value, this.requirement(statement, branch));
      }
      const [only] = branches;
      if (branches.length > 1 || only?.effect.kind === "redeposit_gas") {
        value = Math.max(value, targets?.[statement] ?? 0);
      }
      this.#values[statement] = value;
      if (this.#isEnforced[statement] === 0) this.#incoming[statement] = value;
    }
  }

  /** Wallet as seen by predecessors of the statement. */
  at(statement: number): number {
    return this.#incoming[statement] ?? 0;
  }

  /** Wallet that the branches require, regardless of enforced values. */
  own(statement: number): number {
    return this.#values[statement] ?? 0;
  }

  /** Gas that a branch takes from the wallet until the end; negative if more is returned. */
  requirement(statement: number, { target, effect }: FlowBranch<BranchCost>): number {
    const own = this.#ownCost(effect, statement);
    if (isWithdrawal(effect)) return gasNumber(own);
    if (effect.kind !== "function") return gasNumber(own + this.at(target));
    const entry = this.#flow.functions[effect.function]?.entry ?? 0;
    const called = gasNumber(this.at(entry) + own);
    return gasNumber(effect.sign * called + this.at(target));
  }

  /** Gas that `withdraw_gas` must add to the wallet; negative if the wallet holds too much. */
  withdrawal(statement: number, { target, effect }: FlowBranch<BranchCost>): number {
    const needed = gasNumber(this.at(target) + this.#ownCost(effect, statement));
    return gasNumber(needed - this.own(statement));
  }
}
