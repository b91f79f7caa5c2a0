import { CompileError } from "../../compile-error.ts";
import type { LinearExpression } from "./linear-expression.ts";
import { SimplexSearch } from "./simplex.ts";

/**
 * Solves equations in non-negative variables. Minimizes the sum of the variables of the first layer, then,
 * among those solutions, the sum of the second layer, and so on. Of variables with the same effect, the one
 * named first is used; the others are 0.
 *
 * Source: Sierra compiler, equation solver. The original fixes the variables of a layer before it continues.
 * If several solutions have the minimum sum, its library's choice varies between versions. Programs written
 * by compilers of that time have only one solution, except for variables with the same effect.
 *
 * @param equations - expressions that must be 0
 * @param layers - variables, most important layer first
 * @returns the integer value of each variable in the equations
 * @throws {CompileError} SIERRA_INVALID when there is no solution, or none in integers, or when the search
 *   takes too long
 */
export function solveEquations(
  equations: readonly LinearExpression[],
  layers: readonly (readonly number[])[],
): ReadonlyMap<number, number> {
  const layerOf = new Map(layers.flatMap((layer, at) => layer.map((each) => [each, at] as const)));
  const columns = distinctColumns(equations, layerOf);
  const search = new SimplexSearch(
    equations.map(({ constant, terms }) => ({ constant, terms: inColumns(terms, columns) })),
  );
  const targets = layers.map((layer) => layer.flatMap((variable) => columns.get(variable) ?? []));
  search.findFeasible(targets[0] ?? []);
  for (const target of targets) search.minimise(target);
  const solution = new Map<number, number>();
  for (const { terms } of equations) {
    for (const variable of terms.keys()) {
      const column = columns.get(variable);
      solution.set(variable, column === undefined ? 0 : search.valueOf(column));
    }
  }
  for (const equation of equations) check(equation, solution);
  return solution;
}

/**
 * Column of each variable, in order of first occurrence; excludes variables with the same effect as an
 * earlier one.
 */
function distinctColumns(
  equations: readonly LinearExpression[],
  layerOf: ReadonlyMap<number, number>,
): ReadonlyMap<number, number> {
  const effects = new Map<number, string[]>();
  for (const [row, { terms }] of equations.entries()) {
    for (const [variable, count] of terms) {
      const known = effects.get(variable);
      if (known === undefined) {
        effects.set(variable, [`${layerOf.get(variable)}`, `${row}:${count}`]);
      } else known.push(`${row}:${count}`);
    }
  }
  const seen = new Set<string>();
  const columns = new Map<number, number>();
  for (const [variable, texts] of effects) {
    const effect = texts.join();
    if (!seen.has(effect)) columns.set(variable, columns.size);
    seen.add(effect);
  }
  return columns;
}

function inColumns(
  terms: ReadonlyMap<number, number>,
  columns: ReadonlyMap<number, number>,
): ReadonlyMap<number, number> {
  const found = new Map<number, number>();
  for (const [variable, count] of terms) {
    const column = columns.get(variable);
    if (column !== undefined) found.set(column, count);
  }
  return found;
}

/** Verifies the rounded solution: the integers must satisfy the equations that the doubles did. */
function check({ constant, terms }: LinearExpression, solution: ReadonlyMap<number, number>): void {
  let sum = constant;
  for (const [variable, count] of terms) sum += count * (solution.get(variable) ?? 0);
  if (sum === 0) return;
  throw new CompileError("SIERRA_INVALID", "equations of gas or of ap have no integer solution");
}
