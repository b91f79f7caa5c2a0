import type { FunctionDeclaration } from "../program/program.ts";
import { type ApCounts, type ApFlow, branchCells } from "./ap-flow.ts";
import { allStatements } from "./program-flow.ts";
import { reverseTopologicalOrder } from "./topological-order.ts";

/**
 * Changes of `ap` by whole functions, and the cells of local variables; input of the alignment of branches.
 */
export interface FunctionApChanges {
  /** Cells of each function with known change, by function id. */
  readonly known: ReadonlyMap<number, number>;
  /** Cells of the locals allocated before each statement. */
  readonly locals: ArrayLike<number>;
}

/**
 * Computes the minimum `ap` change at the returns of each function: its longest path.
 *
 * A function with a path of unknown length, or that calls itself, has no known change.
 */
export function functionApChanges(
  flow: ApFlow,
  functions: readonly FunctionDeclaration[],
): FunctionApChanges {
  const entryOf = (id: number): number | undefined => functions[id]?.entry;
  const order = reverseTopologicalOrder(allStatements(flow), flow.length, (statement) =>
    dependencies(flow, statement, entryOf),
  );
  const locals = localsBefore(flow, order);
  const toReturn: (number | undefined)[] = Array.from({ length: flow.length });
  const counts: ApCounts = { locals, ofFunction: (id) => toReturn[entryOf(id) ?? NOWHERE] };
  for (const statement of order) toReturn[statement] = longest(flow, statement, toReturn, counts);
  const known = new Map<number, number>();
  for (const [id, { entry }] of functions.entries()) {
    const cells = toReturn[entry];
    if (cells !== undefined) known.set(id, cells);
  }
  return { known, locals };
}

/** Statements on whose cells those of a statement depend. */
function dependencies(
  flow: ApFlow,
  statement: number,
  entryOf: (id: number) => number | undefined,
): number[] {
  const found: number[] = [];
  for (const { target, effect } of flow[statement] ?? []) {
    found.push(target);
    const entry = effect.kind === "function_call" ? entryOf(effect.function) : undefined;
    if (entry !== undefined) found.push(entry);
  }
  return found;
}

/** Cells of the locals allocated on a path to each statement; the last visited path counts. */
function localsBefore(flow: ApFlow, order: readonly number[]): ArrayLike<number> {
  const locals = new Float64Array(flow.length);
  for (const statement of order.toReversed()) {
    const before = locals[statement] ?? 0;
    for (const { target, effect } of flow[statement] ?? []) {
      if (effect.kind === "at_locals_finalization") locals[target] = before + effect.cells;
      else if (effect.kind !== "unknown" && effect.kind !== "finalize_locals") {
        locals[target] = before;
      }
    }
  }
  return locals;
}

function longest(
  flow: ApFlow,
  statement: number,
  toReturn: readonly (number | undefined)[],
  counts: ApCounts,
): number | undefined {
  let cells = 0;
  for (const { target, effect } of flow[statement] ?? []) {
    const rest = toReturn[target];
    const own = branchCells(effect, statement, counts);
    if (rest === undefined || own === undefined) return undefined;
    cells = Math.max(cells, rest + own);
  }
  return cells;
}

const NOWHERE = -1;
