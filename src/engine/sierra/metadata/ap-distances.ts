import type { FunctionDeclaration } from "../program/program.ts";
import { type ApCounts, type ApFlow, branchCells } from "./ap-flow.ts";

/** Where `ap` is at a statement, from a place where it was known. */
export interface Distance {
  /** The function at whose beginning that was; `undefined` after `enable_ap_tracking`. */
  readonly function: number | undefined;
  /** Of the longest way. */
  readonly cells: number;
}

/**
 * Per statement, how far `ap` is from the last place where it was known; `undefined` where it is not.
 *
 * @param order - statements, each after those that tracking goes on to
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
      // Read anew for each branch: one of them may lead back to this statement.
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
