import { CompileError } from "../compile-error.ts";
import type { Libfunc } from "../libfunc/libfunc.ts";
import type { FunctionDeclaration, Invocation, Program } from "../program/program.ts";
import type { ConcreteType } from "../types/concrete-type.ts";

/**
 * Checks the rules that do not involve the values of variables. Functions have storable parameters and
 * results, and start at an existing statement. Invocations have the arguments, branches and results of their
 * libfuncs, and existing targets. If there are several branches, each leads forward to an aligned statement
 * that no other such branch leads to.
 *
 * @throws {CompileError} SIERRA_INVALID for the first violation
 */
export function validateProgram(
  program: Program,
  types: readonly ConcreteType[],
  libfuncs: readonly Libfunc[],
): void {
  for (const declaration of program.functions) validateFunction(program, types, declaration);
  /** Source statement of each branch target. */
  const sources = new Map<number, number>();
  program.statements.forEach((statement, index) => {
    if (statement.kind === "return") return;
    const libfunc = libfuncs[statement.libfunc];
    if (libfunc === undefined) refuse(index, `no libfunc #${statement.libfunc}`);
    else validateInvocation(program, sources, index, statement, libfunc);
  });
}

function validateFunction(
  program: Program,
  types: readonly ConcreteType[],
  { name, params, returns, entry }: FunctionDeclaration,
): void {
  for (const type of [...params.map((param) => param.type), ...returns]) {
    if (types[type]?.info.storable !== true) {
      throw new CompileError(
        "SIERRA_INVALID",
        `function ${name}: type #${type} is not declared or cannot be stored`,
      );
    }
  }
  if (entry >= program.statements.length) {
    throw new CompileError("SIERRA_INVALID", `function ${name} begins after the last statement`);
  }
}

function validateInvocation(
  program: Program,
  sources: Map<number, number>,
  index: number,
  { args, branches }: Invocation,
  { signature }: Libfunc,
): void {
  if (args.length !== signature.params.length) {
    refuse(index, `${args.length} arguments, expected ${signature.params.length}`);
  }
  if (branches.length !== signature.branches.length) {
    refuse(index, `${branches.length} branches, expected ${signature.branches.length}`);
  }
  signature.branches.forEach(({ variables, apChange }, at) => {
    const branch = branches[at];
    if (branch?.results.length !== variables.length) {
      return refuse(index, `branch ${at} must have ${variables.length} results`);
    }
    if ((branch.target === undefined) !== (signature.fallthrough === at)) {
      refuse(
        index,
        `branch ${at} falls through instead of jumping, or jumps instead of falling through`,
      );
    }
    const source = sources.get(index);
    if (source !== undefined && apChange !== "branch_align") {
      refuse(index, `not a branch_align, although a branch of #${source} leads to it`);
    }
    const target = branch.target ?? index + 1;
    if (target >= program.statements.length) refuse(index, `jumps out of the program`);
    if (branches.length > 1) noteBranch(sources, index, target);
  });
}

function noteBranch(sources: Map<number, number>, index: number, target: number): void {
  if (target < index) refuse(index, `a branch jumps back to #${target}`);
  const other = sources.get(target);
  if (other !== undefined) refuse(index, `branches to #${target}, as #${other} does`);
  sources.set(target, index);
}

function refuse(statement: number, reason: string): never {
  throw new CompileError("SIERRA_INVALID", `statement #${statement}: ${reason}`, { statement });
}
