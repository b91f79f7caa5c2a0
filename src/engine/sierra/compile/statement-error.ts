import { InvariantError } from "#base/errors/index.ts";
import { CompileError } from "../compile-error.ts";
import type { Program } from "../program/program.ts";

/**
 * Runs a step of a compilation at a statement; errors name the statement and its libfunc.
 *
 * @throws {CompileError} also for a violated invariant, so that no class is compiled incorrectly
 */
export function atStatement<T>(program: Program, statement: number, step: () => T): T {
  try {
    return step();
  } catch (error) {
    if (!(error instanceof CompileError || error instanceof InvariantError)) throw error;
    const code = error instanceof CompileError ? error.code : "SIERRA_INVALID";
    const message = `statement #${statement} (${statementName(program, statement)}): ${error.message}`;
    throw new CompileError(code, message, { statement }, error);
  }
}

function statementName(program: Program, index: number): string {
  const statement = program.statements[index];
  if (statement === undefined) return "after the last one";
  if (statement.kind === "return") return "return";
  return program.libfuncs[statement.libfunc]?.genericId ?? `libfunc #${statement.libfunc}`;
}
