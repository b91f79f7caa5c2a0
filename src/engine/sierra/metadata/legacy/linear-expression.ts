import { gasNumber } from "../gas-number.ts";

/** A sum of a constant of 32 bits and multiples of variables; a variable that is named has some. */
export interface LinearExpression {
  readonly constant: number;
  /** Per variable, how many of it, in an order that code depends on. */
  readonly terms: ReadonlyMap<number, number>;
}

/** Nothing. */
export const ZERO: LinearExpression = { constant: 0, terms: new Map() };

/** A constant and multiples of single variables. */
export function expression(
  constant: number,
  ...terms: readonly (readonly [variable: number, count: number])[]
): LinearExpression {
  return { constant, terms: new Map(terms) };
}

/** @throws {CompileError} SIERRA_INVALID when the constant is beyond 32 bits */
export function plus(left: LinearExpression, right: LinearExpression): LinearExpression {
  return combined(left, right, 1);
}

/** @throws {CompileError} SIERRA_INVALID when the constant is beyond 32 bits */
export function minus(left: LinearExpression, right: LinearExpression): LinearExpression {
  return combined(left, right, -1);
}

/** Whether it is 0 whatever the variables are. */
export function isZero({ constant, terms }: LinearExpression): boolean {
  return constant === 0 && terms.size === 0;
}

/**
 * A term that comes to nothing gives its place to the last one. Where several variables could do the
 * same the first one does, so that the order shows in code.
 */
function combined(left: LinearExpression, right: LinearExpression, sign: 1 | -1): LinearExpression {
  const constant = gasNumber(left.constant + sign * right.constant);
  if (right.terms.size === 0) return { constant, terms: left.terms };
  const terms = [...left.terms];
  const places = new Map(terms.map(([variable], place) => [variable, place]));
  for (const [variable, count] of right.terms) {
    const place = places.get(variable);
    const sum = (place === undefined ? 0 : (terms[place]?.[1] ?? 0)) + sign * count;
    if (place === undefined) {
      places.set(variable, terms.length);
      terms.push([variable, sum]);
    } else if (sum !== 0) {
      terms[place] = [variable, sum];
    } else {
      places.delete(variable);
      const last = terms.pop();
      if (last === undefined || last[0] === variable) continue;
      terms[place] = last;
      places.set(last[0], place);
    }
  }
  return { constant, terms: new Map(terms) };
}
