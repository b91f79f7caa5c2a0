import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { solveEquations } from "#engine/sierra/metadata/legacy/equation-solver.ts";
import type { LinearExpression } from "#engine/sierra/metadata/legacy/linear-expression.ts";
import { assertProperty } from "#test/helpers/property.ts";

/** `terms = value`. */
function equation(
  terms: readonly (readonly [variable: number, count: number])[],
  value: number,
): LinearExpression {
  return { constant: -value, terms: new Map(terms) };
}

function solved(equations: readonly LinearExpression[], ...layers: number[][]) {
  return Object.fromEntries(solveEquations(equations, layers));
}

const [A, B, C] = [1, 2, 3];

describe("solveEquations", () => {
  test("minimises the sum of the first layer, then of the next", () => {
    const sum = equation(
      [
        [A, 1],
        [B, 1],
      ],
      5,
    );
    expect(solved([sum], [A], [B])).toEqual({ [A]: 0, [B]: 5 });
    expect(solved([sum], [B], [A])).toEqual({ [A]: 5, [B]: 0 });
  });

  test("lets later layers choose among minimal solutions", () => {
    const equations = [
      equation(
        [
          [A, 1],
          [B, 1],
        ],
        7,
      ),
      equation(
        [
          [A, 1],
          [C, -1],
        ],
        3,
      ),
    ];
    expect(solved(equations, [A, B], [C])).toEqual({ [A]: 3, [B]: 4, [C]: 0 });
  });

  test("prefers the first named of equivalent variables", () => {
    const named = (first: number, second: number): LinearExpression[] => [
      equation(
        [
          [first, 1],
          [second, 1],
          [C, -1],
        ],
        0,
      ),
      equation([[C, 1]], 28),
    ];
    expect(solved(named(A, B), [A, B, C])).toEqual({ [A]: 28, [B]: 0, [C]: 28 });
    expect(solved(named(B, A), [A, B, C])).toEqual({ [A]: 0, [B]: 28, [C]: 28 });
  });

  test("accepts duplicate equations", () => {
    const same = equation(
      [
        [A, 1],
        [B, -1],
      ],
      2,
    );
    expect(solved([same, same], [A], [B])).toEqual({ [A]: 2, [B]: 0 });
  });

  test.each([
    ["require a negative value", [equation([[A, 1]], -1)]],
    ["contradict each other", [equation([[A, 1]], 1), equation([[A, 1]], 2)]],
    ["have no variables and are not 0", [equation([], 1)]],
    ["have no integer solution", [equation([[A, 2]], 3)]],
  ])("rejects equations that %s", (_, equations) => {
    expect(() => solved(equations, [A])).toThrow("equations of gas or of ap have no");
  });

  test("finds the best integer solution if there is one", () => {
    const term = fc.tuple(fc.integer({ min: 1, max: 4 }), fc.constantFrom(-1, 1));
    const equationOf = fc
      .tuple(fc.array(term, { minLength: 1, maxLength: 4 }), fc.integer({ min: -4, max: 4 }))
      .map(([terms, value]) => equation(terms, value));
    const systems = fc.array(equationOf, { minLength: 1, maxLength: 4 });
    assertProperty(
      fc.property(systems, (equations) => {
        const best = searched(equations);
        const found = attempted(equations);
        if (found === undefined) expect(best).toBeUndefined();
        else {
          expect(isSolution(equations, found)).toBe(true);
          if (best !== undefined) expect(sumsOf(found)).toEqual(lower(sumsOf(found), best));
        }
      }),
      { numRuns: 500 },
    );
  });
});

/**
 * Solution, or `undefined` without one; discards cases where only halves would be better.
 */
function attempted(equations: readonly LinearExpression[]): Map<number, number> | undefined {
  try {
    const variables = variablesOf(equations);
    const layers = [
      variables.filter((each) => each % 2 === 1),
      variables.filter((each) => each % 2 === 0),
    ];
    return new Map(solveEquations(equations, layers));
  } catch (error) {
    if (String(error).includes("whole")) fc.pre(false);
    return undefined;
  }
}

function variablesOf(equations: readonly LinearExpression[]): number[] {
  return [...new Set(equations.flatMap(({ terms }) => [...terms.keys()]))];
}

/** Sums of the odd and of the even variables, the two layers. */
type Sums = readonly [odd: number, even: number];

/** Minimal sums over all values from 0 to 12 that solve the equations. */
function searched(equations: readonly LinearExpression[]): Sums | undefined {
  const variables = variablesOf(equations);
  let best: Sums | undefined;
  const values = new Map<number, number>();
  const walk = (at: number): void => {
    const variable = variables[at];
    if (variable === undefined) {
      if (!isSolution(equations, values)) return;
      best = best === undefined ? sumsOf(values) : lower(best, sumsOf(values));
      return;
    }
    for (let value = 0; value <= 12; value++) {
      values.set(variable, value);
      walk(at + 1);
    }
  };
  walk(0);
  return best;
}

function sumsOf(values: ReadonlyMap<number, number>): Sums {
  let [odd, even] = [0, 0];
  for (const [variable, value] of values) {
    if (variable % 2 === 1) odd += value;
    else even += value;
  }
  return [odd, even];
}

function lower(a: Sums, b: Sums): Sums {
  return b[0] < a[0] || (b[0] === a[0] && b[1] < a[1]) ? b : a;
}

function isSolution(
  equations: readonly LinearExpression[],
  values: ReadonlyMap<number, number>,
): boolean {
  return equations.every(({ constant, terms }) => {
    let sum = constant;
    for (const [variable, count] of terms) sum += count * (values.get(variable) ?? 0);
    return sum === 0;
  });
}
