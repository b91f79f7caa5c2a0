import { CompileError } from "../compile-error.ts";
import { type CostFlow } from "./cost-flow.ts";
import { gasVariables } from "./gas-variables.ts";
import { targetWallets } from "./target-wallets.ts";
import type { OwnCost } from "./wallet-rules.ts";
import { Wallets } from "./wallets.ts";

/** Gas of one kind in a program. */
export interface GasSolution {
  /** Per statement that moves gas: how much. */
  readonly variables: ReadonlyMap<number, number>;
  /** Per function: what a call takes. */
  readonly functionCosts: readonly number[];
}

/**
 * Finds gas of one kind in two passes: what each statement needs, and then what it gets so that
 * nothing of it is lost where it can be used.
 *
 * Source: Sierra compiler, linear gas solver.
 *
 * @param enforced - per function whose cost is fixed: that cost
 * @throws {CompileError} SIERRA_INVALID when a function cannot have the cost that is enforced, or when
 * gas does not fit 32 bits
 */
export function solveGas(
  flow: CostFlow,
  ownCost: OwnCost,
  enforced: ReadonlyMap<number, number> = new Map(),
): GasSolution {
  const atEntry = new Map<number, number>();
  for (const [id, gas] of enforced) atEntry.set(flow.functions[id]?.entry ?? 0, gas);
  const wallets = new Wallets(flow, ownCost, atEntry);
  wallets.fill();
  wallets.fill(targetWallets(flow, wallets, atEntry));
  for (const [statement, gas] of atEntry) {
    if (wallets.own(statement) !== gas) {
      throw new CompileError(
        "SIERRA_INVALID",
        `the function at statement ${statement} costs ${wallets.own(statement)} and cannot cost ${gas}`,
        { statement },
      );
    }
  }
  const functionCosts = flow.functions.map(({ entry }) => wallets.at(entry));
  return { variables: gasVariables(flow, wallets), functionCosts };
}
