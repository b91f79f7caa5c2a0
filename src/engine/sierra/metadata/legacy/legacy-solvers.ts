import { CompileError } from "../../compile-error.ts";
import { LINEAR_SOLVERS } from "../linear-solvers.ts";
import type { Solvers } from "../solvers.ts";
import { solveLegacyApChanges } from "./legacy-ap-changes.ts";
import { checkLegacyPrecost } from "./legacy-precosts.ts";
import { solveLegacySteady } from "./legacy-steady.ts";

/**
 * The rules for Sierra before 1.4.0: gas and changes of `ap` by equations, of whose solutions one with
 * the least costs is taken. Builtins have to come out by equations as they do by the rules since.
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

/** These rules have no costs of circuits: they are younger. */
function refuseCircuit(type: number): never {
  throw new CompileError("SIERRA_INVALID", `circuits before Sierra 1.4.0: type #${type}`);
}
