import type { FunctionDeclaration } from "../program/program.ts";
import { type ApCounts, type ApFlow, branchCells } from "./ap-flow.ts";
import { allStatements } from "./program-flow.ts";
import { reverseTopologicalOrder } from "./topological-order.ts";

/** Cells of functions, and of the locals at each statement. */
export interface FunctionApChanges {
  /** Per function, in their order, its cells; without those where nobody knows. */
  readonly known: ReadonlyMap<number, number>;
  /** Per statement. */
  readonly locals: ArrayLike<number>;
}

/**
 * Finds for each function how far `ap` is at its returns at least: the longest of its ways.
 *
 * A function of which a way is of unknown length, or that calls itself, has no known change.
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

/** Statements that the cells of a statement depend on. */
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

/** Per statement, cells of the locals that were allocated on a way to it, from the last one seen. */
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
