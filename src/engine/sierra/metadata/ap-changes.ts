import type { Program } from "../program/program.ts";
import { alignment } from "./ap-alignment.ts";
import type { ApFlow } from "./ap-flow.ts";
import { functionApChanges } from "./function-ap-changes.ts";

/** How far `ap` moves in functions, and by how much branches are made longer to agree. */
export interface ApChanges {
  /** Per function whose change is known: cells from its first statement to its return. */
  readonly functions: ReadonlyMap<number, number>;
  /** Per `branch_align` that moves `ap`: by how many cells. */
  readonly variables: ReadonlyMap<number, number>;
}

/**
 * Finds the changes of `ap`, in walks of linear length.
 *
 * Source: Sierra compiler, linear solver of ap changes.
 *
 * @throws {CompileError} SIERRA_INVALID when branches cannot be made to agree
 */
export function solveApChanges(program: Program, flow: ApFlow): ApChanges {
  const { known, locals } = functionApChanges(flow, program.functions);
  const counts = { locals, ofFunction: (id: number) => known.get(id) };
  return { functions: known, variables: alignment(program, flow, counts) };
}
