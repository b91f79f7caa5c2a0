import { gasNumber } from "../gas-number.ts";
import { type Effort, EQUATION_TERMS, PATH_TERMS } from "./effort.ts";
import type { LinearExpression } from "./linear-expression.ts";

/**
 * A constant of 32 bits and the variables of a path through a program, each once or several times.
 * Paths share what they have in common.
 */
export interface PathSum {
  readonly constant: number;
  readonly terms: PathTerm | undefined;
}

/** A variable of a path, and those that were there before it. */
interface PathTerm {
  readonly variable: number;
  readonly count: 1 | -1;
  readonly rest: PathTerm | undefined;
}

/** Nothing. */
export const EMPTY_PATH: PathSum = { constant: 0, terms: undefined };

/**
 * A path that is one variable longer, if one is named, and takes `more` besides.
 *
 * @throws {CompileError} SIERRA_INVALID when the constant is beyond 32 bits
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

/** Whether the variables of a path are in the order in which they came to it, or in the other one. */
export type PathOrder = "oldest first" | "newest first";

/**
 * What two paths differ in. A term that comes to nothing gives its place to the last one: where several
 * variables could do the same the first one does, so that the order shows in code.
 *
 * @throws {CompileError} SIERRA_INVALID when the paths are too long, or the constant is beyond 32 bits
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

/** Per variable of a path how often it is there, in the order of its first time. */
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
