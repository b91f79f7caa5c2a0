import type { Program } from "../../program/program.ts";
import type { ApChanges } from "../ap-changes.ts";
import type { ApFlow } from "../ap-flow.ts";
import { apEquations, cellsOfFunction } from "./ap-equations.ts";
import { solveEquations } from "./equation-solver.ts";

/**
 * Changes of `ap` in a program of Sierra before 1.4.0: `branch_align` and functions move it as little
 * as possible.
 *
 * @throws {CompileError} SIERRA_INVALID when ways cannot be made to agree
 */
export function solveLegacyApChanges(program: Program, flow: ApFlow): ApChanges {
  const equations = apEquations(program, flow);
  const all = new Set(equations.flatMap(({ terms }) => [...terms.keys()]));
  const solution = solveEquations(equations, [[...all]]);
  const variables = new Map<number, number>();
  for (const statement of flow.keys()) {
    const cells = solution.get(statement) ?? 0;
    if (cells !== 0) variables.set(statement, cells);
  }
  const functions = new Map<number, number>();
  for (const id of program.functions.keys()) {
    const cells = solution.get(cellsOfFunction(program, id));
    if (cells !== undefined) functions.set(id, cells);
  }
  return { functions, variables };
}
