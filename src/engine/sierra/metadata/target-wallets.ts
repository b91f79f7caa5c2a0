import type { BranchCost } from "../libfunc/branch-cost.ts";
import { type CostFlow, isRefund, isWithdrawal } from "./cost-flow.ts";
import { gasNumber } from "./gas-number.ts";
import type { FlowBranch } from "./program-flow.ts";
import type { Wallets } from "./wallets.ts";

/**
 * Computes the amount to which each statement's wallet should rise, so that surplus gas is carried as far as
 * possible: to a `withdraw_gas` that then withdraws less, or to a `redeposit_gas`.
 *
 * @param wallets - filled without targets
 * @param enforced - required wallet of a statement
 */
export function targetWallets(
  flow: CostFlow,
  wallets: Wallets,
  enforced: ReadonlyMap<number, number>,
): ArrayLike<number> {
  const excess = new ExcessWalk(flow, wallets, enforced).walk();
  return excess.map((gas, statement) => gasNumber(wallets.own(statement) + Math.max(0, gas)));
}

/** Carries the surplus of each statement to its successors. */
class ExcessWalk {
  readonly #flow: CostFlow;
  readonly #wallets: Wallets;
  readonly #enforced: ReadonlyMap<number, number>;
  readonly #excess: Int32Array;
  readonly #isFinal: Uint8Array;

  constructor(flow: CostFlow, wallets: Wallets, enforced: ReadonlyMap<number, number>) {
    this.#flow = flow;
    this.#wallets = wallets;
    this.#enforced = enforced;
    this.#excess = new Int32Array(flow.branches.length).fill(UNKNOWN);
    this.#isFinal = new Uint8Array(flow.branches.length);
  }

  /** @returns the surplus of each statement; negative if none arrived */
  walk(): Int32Array {
    for (const statement of this.#flow.byReach) this.#visit(statement);
    return this.#excess;
  }

  #visit(statement: number): void {
    const enforced = this.#enforced.get(statement);
    if (enforced !== undefined) {
      const missing = gasNumber(enforced - this.#wallets.own(statement));
      this.#excess[statement] = Math.max(0, missing);
    }
    this.#isFinal[statement] = 1;
    const branches = this.#flow.branches[statement] ?? [];
    for (const branch of branches) {
      const { target } = branch;
      // A backward branch ends the visit, skipping the further branches: costs of loops depend on it.
      if (this.#isFinal[target] === 1) return;
      const gas = this.#along(statement, branch, branches.length > 1);
      const known = this.#excess[target] ?? UNKNOWN;
      this.#excess[target] = known === UNKNOWN ? gas : Math.min(known, gas);
    }
  }

  /** Surplus after a branch. */
  #along(statement: number, branch: FlowBranch<BranchCost>, isForked: boolean): number {
    const { effect } = branch;
    const before = Math.max(0, this.#excess[statement] ?? 0);
    if (isForked && isWithdrawal(effect)) {
      return Math.max(0, gasNumber(before - this.#wallets.withdrawal(statement, branch)));
    }
    if (!isForked && effect.kind === "redeposit_gas") return 0;
    if (!isForked && !isRefund(effect)) return before;
    const spare = this.#wallets.own(statement) - this.#wallets.requirement(statement, branch);
    return gasNumber(before + Math.max(0, gasNumber(spare)));
  }
}

const UNKNOWN = -1;
