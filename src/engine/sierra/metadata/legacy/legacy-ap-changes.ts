import type { Program } from "../../program/program.ts";
import type { ApChanges } from "../ap-changes.ts";
import type { ApFlow } from "../ap-flow.ts";
import { apEquations, cellsOfFunction } from "./ap-equations.ts";
import { solveEquations } from "./equation-solver.ts";

/**
 * Solves the `ap` changes of a program of Sierra before 1.4.0, with minimum moves by `branch_align` and
 * functions.
 *
 * @throws {CompileError} SIERRA_INVALID when paths cannot be made to agree
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
