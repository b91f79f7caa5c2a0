import { CompileError } from "../compile-error.ts";
import { type CostFlow } from "./cost-flow.ts";
import { gasVariables } from "./gas-variables.ts";
import { targetWallets } from "./target-wallets.ts";
import type { OwnCost } from "./wallet-rules.ts";
import { Wallets } from "./wallets.ts";

/** Solved gas equations of a program for one cost token: amounts in units of that token, by statement index. */
export interface GasSolution {
  /** Amount of each statement that moves gas. */
  readonly variables: ReadonlyMap<number, number>;
  /** Cost of a call of each function. */
  readonly functionCosts: readonly number[];
}

/**
 * Computes the gas of one token in two passes: first the need of each statement, then its actual amount, so
 * that no usable gas is lost.
 *
 * Source: Sierra compiler, linear gas solver.
 *
 * @param enforced - required cost of each function whose cost is fixed
 * @throws {CompileError} SIERRA_INVALID when a function cannot have its enforced cost, or when gas does not
 *   fit in 32 bits
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
