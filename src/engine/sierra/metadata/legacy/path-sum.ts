import { gasNumber } from "../gas-number.ts";
import { type Effort, EQUATION_TERMS, PATH_TERMS } from "./effort.ts";
import type { LinearExpression } from "./linear-expression.ts";

/**
 * Sum of a 32-bit constant and the variables of a path through a program, which may occur repeatedly. Paths
 * share their common parts.
 */
export interface PathSum {
  readonly constant: number;
  readonly terms: PathTerm | undefined;
}

/** Variable of a path, linked to the earlier ones. */
interface PathTerm {
  readonly variable: number;
  readonly count: 1 | -1;
  readonly rest: PathTerm | undefined;
}

/** Sum of an empty path. */
export const EMPTY_PATH: PathSum = { constant: 0, terms: undefined };

/**
 * Extends a path by a constant and, if set, one variable.
 *
 * @throws {CompileError} SIERRA_INVALID when the constant does not fit in 32 bits
 */
export function extended(
  { constant, terms }: PathSum,
  more: number,
  variable?: number,
  count: 1 | -1 = 1,
): PathSum {
  return {
    constant: gasNumber(constant + more),
    terms: variable === undefined ? terms : { variable, count, rest: terms },
  };
}

/** Order of a path's variables: as they were added, or reversed. */
export type PathOrder = "oldest first" | "newest first";

/**
 * Difference of two paths. The last term replaces one that cancels out. Of several variables with the same
 * effect the first one is used, so the order affects the generated code.
 *
 * @throws {CompileError} SIERRA_INVALID when the paths are too long, or the constant does not fit in 32 bits
 */
export function difference(
  left: PathSum,
  right: PathSum,
  order: PathOrder,
  effort: Effort,
): LinearExpression {
  const constant = gasNumber(left.constant - right.constant);
  if (left.terms === right.terms) return { constant, terms: new Map() };
  const counts = collected(left, order, effort);
  const variables = [...counts.keys()];
  const places = new Map(variables.map((variable, place) => [variable, place]));
  for (const [variable, count] of collected(right, order, effort)) {
    const sum = (counts.get(variable) ?? 0) - count;
    counts.set(variable, sum);
    const place = places.get(variable);
    if (place === undefined) {
      places.set(variable, variables.length);
      variables.push(variable);
    } else if (sum === 0) {
      places.delete(variable);
      const last = variables.pop();
      if (last === undefined || last === variable) continue;
      variables[place] = last;
      places.set(last, place);
    }
  }
  effort.spend(variables.length * (PATH_TERMS / EQUATION_TERMS));
  return { constant, terms: new Map(variables.map((each) => [each, counts.get(each) ?? 0])) };
}

/** Coefficient of each variable of a path, in order of first occurrence. */
function collected({ terms }: PathSum, order: PathOrder, effort: Effort): Map<number, number> {
  const path: PathTerm[] = [];
  for (let term = terms; term !== undefined; term = term.rest) path.push(term);
  effort.spend(path.length);
  if (order === "oldest first") path.reverse();
  const counts = new Map<number, number>();
  for (const { variable, count } of path) {
    counts.set(variable, (counts.get(variable) ?? 0) + count);
  }
  return counts;
}
