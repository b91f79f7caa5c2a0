import type { Program } from "../program/program.ts";

/** Effect of a branch, and the statement that it leads to. */
export interface FlowBranch<Effect> {
  readonly target: number;
  readonly effect: Effect;
}

/** Branches of each statement; a return has none. */
export type ProgramFlow<Effect> = readonly (readonly FlowBranch<Effect>[])[];

/**
 * Branches of each statement with their effects.
 *
 * @param effectsOf - effects of a libfunc's branches at a statement; as many as the statement has branches,
 *   as the registry has verified
 */
export function programFlow<Effect>(
  program: Program,
  effectsOf: (libfunc: number, statement: number) => readonly Effect[],
): ProgramFlow<Effect> {
  return program.statements.map((statement, index) => {
    if (statement.kind === "return") return [];
    return effectsOf(statement.libfunc, index).map((effect, branch) => ({
      target: statement.branches[branch]?.target ?? index + 1,
      effect,
    }));
  });
}

/** All statements, in order. */
export function* allStatements(flow: ProgramFlow<unknown>): Iterable<number> {
  for (let index = 0; index < flow.length; index++) yield index;
}
