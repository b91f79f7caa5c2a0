import type { ApChange } from "../libfunc/ap-change.ts";
import type { PrecostToken } from "../libfunc/branch-cost.ts";
import type { ProgramInfo } from "../libfunc/program-info.ts";
import type { Libfunc } from "../libfunc/libfunc.ts";
import type { Program } from "../program/program.ts";
import { statementInfo } from "./program-info.ts";
import { type ProgramFlow, programFlow } from "./program-flow.ts";

/** Branches with their effects on `ap`. */
export type ApFlow = ProgramFlow<ApChange>;

/** Cells of a program's functions and locals, which the `ap` changes of some libfuncs depend on. */
export interface ApCounts {
  /** Cells of the locals allocated before each statement. */
  readonly locals: ArrayLike<number>;
  /** Cells of a function; `undefined` if not known, or not yet. */
  ofFunction(id: number): number | undefined;
}

/** Cells by which a branch moves `ap` at its statement; `undefined` when unknown. */
export function branchCells(
  change: ApChange,
  statement: number,
  counts: ApCounts,
): number | undefined {
  switch (change.kind) {
    case "unknown":
    case "disable_tracking":
      return undefined;
    case "known":
      return change.cells;
    case "from_metadata":
    case "at_locals_finalization":
    case "enable_tracking":
      return 0;
    case "finalize_locals":
      return counts.locals[statement] ?? 0;
    case "function_call": {
      const cells = counts.ofFunction(change.function);
      return cells === undefined ? undefined : cells + CELLS_OF_CALL;
    }
  }
}

/** Frame pointer and return address that a call leaves on the stack. */
const CELLS_OF_CALL = 2;

/**
 * Branches of a program with their effects on `ap`.
 *
 * @param usages - number of uses of a builtin that are paid for at a statement
 */
export function apFlow(
  program: Program,
  libfuncs: readonly Libfunc[],
  info: ProgramInfo,
  usages: (token: PrecostToken, statement: number) => number,
): ApFlow {
  // The results of most libfuncs do not depend on the statement, and are cached.
  const cache = new Map<number, readonly ApChange[]>();
  return programFlow(program, (libfunc, statement) => {
    const known = cache.get(libfunc);
    if (known !== undefined) return known;
    let isOfStatement = false;
    const here = statementInfo(info, (token) => {
      isOfStatement = true;
      return usages(token, statement);
    });
    const changes = libfuncs[libfunc]?.apChanges(here) ?? [];
    if (!isOfStatement) cache.set(libfunc, changes);
    return changes;
  });
}
