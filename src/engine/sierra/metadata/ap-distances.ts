import type { FunctionDeclaration } from "../program/program.ts";
import { type ApCounts, type ApFlow, branchCells } from "./ap-flow.ts";

/** Position of `ap` at a statement, relative to a position where it was known. */
export interface Distance {
  /** Function at whose start it was known; `undefined` after `enable_ap_tracking`. */
  readonly function: number | undefined;
  /** Length of the longest path, in cells. */
  readonly cells: number;
}

/**
 * Distance of `ap` at each statement from the last position where it was known; `undefined` if unknown.
 *
 * @param order - statements, each after its successors on which tracking continues
 */
export function longestDistances(
  flow: ApFlow,
  functions: readonly FunctionDeclaration[],
  counts: ApCounts,
  order: readonly number[],
): readonly (Distance | undefined)[] {
  const distances: (Distance | undefined)[] = Array.from({ length: flow.length });
  for (const [id, { entry }] of functions.entries()) distances[entry] = { function: id, cells: 0 };
  for (const statement of order.toReversed()) {
    for (const { target, effect } of flow[statement] ?? []) {
      if (effect.kind === "enable_tracking") {
        distances[target] = { function: undefined, cells: 0 };
        continue;
      }
      // Must be re-read for each branch: an earlier one may lead back to this statement.
      const source = distances[statement];
      const change = branchCells(effect, statement, counts);
      if (source === undefined || change === undefined) continue;
      const cells = source.cells + change;
      const known = distances[target];
      distances[target] =
        known === undefined
          ? { function: source.function, cells }
          : { function: known.function, cells: Math.max(known.cells, cells) };
    }
  }
  return distances;
}
