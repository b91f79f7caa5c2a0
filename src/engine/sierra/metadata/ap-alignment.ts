import { CompileError } from "../compile-error.ts";
import type { Program } from "../program/program.ts";
import { type ApCounts, type ApFlow, branchCells } from "./ap-flow.ts";
import { type Distance, longestDistances } from "./ap-distances.ts";
import { allStatements } from "./program-flow.ts";
import { reverseTopologicalOrder } from "./topological-order.ts";

/**
 * Computes the cells by which each `branch_align` must move `ap`, so that converging paths agree, and so that
 * every return of a function with known change has that change. Cells that all branches of a statement need
 * are added before it, by an earlier `branch_align`.
 *
 * @param counts - cells of functions with known change, and of locals
 * @returns the cells of each `branch_align` that moves `ap`
 * @throws {CompileError} SIERRA_INVALID when branches cannot be made to agree
 */
export function alignment(
  program: Program,
  flow: ApFlow,
  counts: ApCounts,
): ReadonlyMap<number, number> {
  const order = reverseTopologicalOrder(allStatements(flow), flow.length, (statement) =>
    trackedTargets(flow, statement, counts),
  );
  const distances = longestDistances(flow, program.functions, counts, order);
  const effective: (number | undefined)[] = Array.from({ length: flow.length });
  const variables = new Map<number, number>();
  for (const statement of order) {
    const distance = distances[statement];
    if (distance === undefined) continue;
    if (program.statements[statement]?.kind === "return") {
      effective[statement] = pinned(distance, counts);
      continue;
    }
    const { own, paths } = backwards(flow, statement, distance, effective, counts);
    effective[statement] = own;
    if (own === undefined) continue;
    for (const { target, cells } of paths) {
      if (cells !== own) variables.set(target, natural(cells - own, statement));
    }
  }
  return variables;
}

/** Required position of `ap` at a return: the change of the function, if known. */
function pinned({ function: id }: Distance, counts: ApCounts): number | undefined {
  return id === undefined ? undefined : counts.ofFunction(id);
}

/**
 * Required position of `ap` at a statement, derived from its branches: their minimum, or the current position
 * after a branch with unknown change.
 */
function backwards(
  flow: ApFlow,
  statement: number,
  distance: Distance,
  effective: readonly (number | undefined)[],
  counts: ApCounts,
): { own: number | undefined; paths: readonly { target: number; cells: number }[] } {
  let own: number | undefined;
  const paths: { target: number; cells: number }[] = [];
  for (const { target, effect } of flow[statement] ?? []) {
    if (effect.kind === "enable_tracking") continue;
    const change = branchCells(effect, statement, counts);
    if (change === undefined) {
      own = distance.cells;
      continue;
    }
    const after = effective[target];
    if (after === undefined) continue;
    const cells = natural(after - change, statement);
    paths.push({ target, cells });
    own = own === undefined ? cells : Math.min(own, cells);
  }
  return { own, paths };
}

/** Successors on which tracking of `ap` continues. */
function trackedTargets(flow: ApFlow, statement: number, counts: ApCounts): number[] {
  const found: number[] = [];
  for (const { target, effect } of flow[statement] ?? []) {
    if (effect.kind === "unknown") continue;
    if (effect.kind === "function_call" && counts.ofFunction(effect.function) === undefined) {
      continue;
    }
    found.push(target);
  }
  return found;
}

function natural(cells: number, statement: number): number {
  if (cells < 0) {
    throw new CompileError(
      "SIERRA_INVALID",
      `branches of statement ${statement} cannot be made to agree on ap`,
      { statement },
    );
  }
  return cells;
}
