import { CompileError } from "../../compile-error.ts";
import { LINEAR_SOLVERS } from "../linear-solvers.ts";
import type { Solvers } from "../solvers.ts";
import { solveLegacyApChanges } from "./legacy-ap-changes.ts";
import { checkLegacyPrecost } from "./legacy-precosts.ts";
import { solveLegacySteady } from "./legacy-steady.ts";

/**
 * Solvers for Sierra before 1.4.0: gas and `ap` changes are minimum-cost solutions of equations. For
 * builtins, the equations must agree with the current rules.
 *
 * Source: Sierra compiler, metadata without the linear solvers.
 */
export const LEGACY_SOLVERS: Solvers = {
  info: ({ sizeOf }) => ({ sizeOf, circuitOf: refuseCircuit }),
  precosts(flow, enforced) {
    const found = LINEAR_SOLVERS.precosts(flow, enforced);
    for (const [token, solution] of found) checkLegacyPrecost(flow, token, solution, enforced);
    return found;
  },
  apChanges: solveLegacyApChanges,
  steady: solveLegacySteady,
};

/** Circuits were introduced later, so these rules have no costs for them. */
function refuseCircuit(type: number): never {
  throw new CompileError("SIERRA_INVALID", `circuits before Sierra 1.4.0: type #${type}`);
}
