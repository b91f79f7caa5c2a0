import type { ApChange } from "../libfunc/ap-change.ts";
import type { PrecostToken } from "../libfunc/branch-cost.ts";
import type { ProgramInfo } from "../libfunc/program-info.ts";
import type { Libfunc } from "../libfunc/libfunc.ts";
import type { Program } from "../program/program.ts";
import { statementInfo } from "./program-info.ts";
import { type ProgramFlow, programFlow } from "./program-flow.ts";

/** Branches with what they do to `ap`. */
export type ApFlow = ProgramFlow<ApChange>;

/** What a change of `ap` is counted with. */
export interface ApCounts {
  /** Per statement: cells of the locals that were allocated before it. */
  readonly locals: ArrayLike<number>;
  /** Cells of a function; `undefined` while or where it is not known. */
  ofFunction(id: number): number | undefined;
}

/** Cells by which a branch moves `ap` where it stands; `undefined` when nobody knows. */
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

/** The frame pointer and the address that a call leaves on the stack. */
const CELLS_OF_CALL = 2;

/**
 * The branches of a program with what they do to `ap`.
 *
 * @param usages - how often a builtin is paid for at a statement
 */
export function apFlow(
  program: Program,
  libfuncs: readonly Libfunc[],
  info: ProgramInfo,
  usages: (token: PrecostToken, statement: number) => number,
): ApFlow {
  // Few libfuncs ask for what differs between their statements; the answers of the rest are kept.
  const kept = new Map<number, readonly ApChange[]>();
  return programFlow(program, (libfunc, statement) => {
    const known = kept.get(libfunc);
    if (known !== undefined) return known;
    let isOfStatement = false;
    const here = statementInfo(info, (token) => {
      isOfStatement = true;
      return usages(token, statement);
    });
    const changes = libfuncs[libfunc]?.apChanges(here) ?? [];
    if (!isOfStatement) kept.set(libfunc, changes);
    return changes;
  });
}
