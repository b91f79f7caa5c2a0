import type { Program } from "../program/program.ts";
import { alignment } from "./ap-alignment.ts";
import type { ApFlow } from "./ap-flow.ts";
import { functionApChanges } from "./function-ap-changes.ts";

/** `ap` changes of functions, and of the statements that align branches. */
export interface ApChanges {
  /** Cells from the first statement to the return, for each function with known change. */
  readonly functions: ReadonlyMap<number, number>;
  /** Cells of each `branch_align` that moves `ap`. */
  readonly variables: ReadonlyMap<number, number>;
}

/**
 * Computes the changes of `ap` in linear time.
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
