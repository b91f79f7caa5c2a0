import type { Program } from "../program/program.ts";

/** What a branch does, and the statement that it leads to. */
export interface FlowBranch<Effect> {
  readonly target: number;
  readonly effect: Effect;
}

/** Per statement, its branches; a return has none. */
export type ProgramFlow<Effect> = readonly (readonly FlowBranch<Effect>[])[];

/**
 * The branches of each statement with what they do.
 *
 * @param effectsOf - per branch of a libfunc at a statement; as many as the statement has branches,
 * which the registry has checked
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

/** All statements, in their order. */
export function* allStatements(flow: ProgramFlow<unknown>): Iterable<number> {
  for (let index = 0; index < flow.length; index++) yield index;
}
