import { CompileError } from "../../compile-error.ts";
import type { LinearExpression } from "./linear-expression.ts";
import { SimplexSearch } from "./simplex.ts";

/**
 * Solves equations in variables that are not less than 0: of several solutions those with the least sum
 * of the variables of the first layer, of those the ones with the least sum of the second, and so on.
 * Of variables that do the same the one that is named first is used, and the others are 0.
 *
 * Source: Sierra compiler, equation solver. That one fixes the variables of a layer before it goes on,
 * and where the least sum is had in several ways its library, with each version, takes one or another.
 * Programs that compilers of that time wrote have one way only, but for variables that do the same.
 *
 * @param equations - each is to be 0
 * @param layers - variables, the most important first
 * @returns per variable of the equations, a whole number
 * @throws {CompileError} SIERRA_INVALID when there is no solution, or none in whole numbers, or when the
 * search takes too long
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

/** Per variable its place in the order in which they are named, without those that do as others do. */
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

/** Doubles were rounded: whole numbers must do what they did. */
function check({ constant, terms }: LinearExpression, solution: ReadonlyMap<number, number>): void {
  let sum = constant;
  for (const [variable, count] of terms) sum += count * (solution.get(variable) ?? 0);
  if (sum === 0) return;
  throw new CompileError("SIERRA_INVALID", "equations of gas or of ap have no whole solution");
}
