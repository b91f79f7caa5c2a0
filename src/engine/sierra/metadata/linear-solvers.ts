import { PRECOST_TOKENS } from "../libfunc/branch-cost.ts";
import { solveApChanges } from "./ap-changes.ts";
import { solveGas } from "./gas-solution.ts";
import type { Solvers } from "./solvers.ts";
import { precostOf } from "./wallet-rules.ts";

/** Solvers of gas and `ap` changes for Sierra from 1.4.0 on: walks of linear length. */
export const LINEAR_SOLVERS: Solvers = {
  precosts(flow) {
    const used = new Set<string>();
    for (const { effect } of flow.branches.flat()) {
      if (effect.kind !== "regular") continue;
      for (const token of Object.keys(effect.precost)) used.add(token);
    }
    // Unused builtins share one solution.
    const none = solveGas(flow, () => 0);
    return new Map(
      PRECOST_TOKENS.map((token) => [
        token,
        used.has(token) ? solveGas(flow, precostOf(token)) : none,
      ]),
    );
  },
  apChanges: solveApChanges,
  steady: solveGas,
};
