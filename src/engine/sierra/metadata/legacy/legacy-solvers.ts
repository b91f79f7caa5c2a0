import { CompileError } from "../../compile-error.ts";
import { type PrecostToken, PRECOST_TOKENS } from "../../libfunc/branch-cost.ts";
import type { CostFlow } from "../cost-flow.ts";
import { LINEAR_SOLVERS } from "../linear-solvers.ts";
import type { GasSolution } from "../gas-solution.ts";
import type { Solvers } from "../solvers.ts";
import { solveLegacyApChanges } from "./legacy-ap-changes.ts";
import { solveLegacyPrecost, solveLegacySteady } from "./legacy-gas.ts";

/**
 * How gas and changes of `ap` are found by equations, of whose solutions one with the least costs is
 * taken.
 */
export const EQUATION_SOLVERS: Solvers = {
  precosts: (flow, enforced) =>
    new Map(
      PRECOST_TOKENS.map((token) => {
        // A function of fixed cost uses no builtins but those that its cost names.
        const fixed = new Map([...enforced].map(([id, costs]) => [id, costs.get(token) ?? 0]));
        return [token, solveLegacyPrecost(flow, token, fixed)];
      }),
    ),
  apChanges: solveLegacyApChanges,
  steady: solveLegacySteady,
};

/**
 * The rules for Sierra before 1.4.0: equations, but builtins have to come out as they do by the rules
 * since.
 *
 * Source: Sierra compiler, metadata without the linear solvers.
 */
export const LEGACY_SOLVERS: Solvers = {
  ...EQUATION_SOLVERS,
  precosts(flow, enforced) {
    const expected = LINEAR_SOLVERS.precosts(flow, enforced);
    const found = EQUATION_SOLVERS.precosts(flow, enforced);
    for (const [token, solution] of found) {
      const other = expected.get(token);
      if (other !== undefined) compare(flow, token, solution, other);
    }
    return found;
  },
};

/** What `branch_align` burns may differ: no code depends on it. */
function compare(
  flow: CostFlow,
  token: PrecostToken,
  found: GasSolution,
  expected: GasSolution,
): void {
  for (const [statement, branches] of flow.branches.entries()) {
    if (branches[0]?.effect.kind === "branch_align") continue;
    const [a, b] = [found.variables.get(statement) ?? 0, expected.variables.get(statement) ?? 0];
    if (a !== b) refuse(token, `statement ${statement} moves`);
  }
  for (const [id, gas] of found.functionCosts.entries()) {
    if (gas !== expected.functionCosts[id]) refuse(token, `function ${id} costs`);
  }
}

function refuse(token: PrecostToken, what: string): never {
  throw new CompileError(
    "SIERRA_INVALID",
    `${what} another number of ${token} by the rules before Sierra 1.4.0 than by those since`,
  );
}
