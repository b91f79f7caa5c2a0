import { describe, expect, test } from "bun:test";
import type { CellExpression } from "#engine/sierra/casm/cell-expression.ts";
import { apCell, deref } from "#engine/sierra/casm/operand.ts";
import { ReferenceBudget } from "#engine/sierra/compile/reference-budget.ts";
import type { References } from "#engine/sierra/compile/reference-value.ts";
import { compileUngassed } from "#test/helpers/sierra/ungassed-text.ts";

const LARGE = 2 ** 12;

const DECLARATIONS = `
  type felt252 = felt252;
  type Large = Struct<ut@Tuple, ${"felt252, ".repeat(LARGE - 1)}felt252>;
  libfunc dup = dup<felt252>;
  libfunc drop = drop<felt252>;
  libfunc store = store_temp<felt252>;
  libfunc dup_large = dup<Large>;
  libfunc drop_large = drop<Large>;
  libfunc store_large = store_temp<Large>;
`;

/** Stores a value, then stores and drops `count` cells above it, then returns the value. */
function farAway(count: number): string {
  const above = (suffix: string, times: number): string =>
    `dup${suffix}([2]) -> ([2], [3]);
    store${suffix}([3]) -> ([3]);
    drop${suffix}([3]) -> ();
    `.repeat(times);
  return `${DECLARATIONS}
    store([1]) -> ([1]);
    ${above("_large", Math.floor(count / LARGE))}drop_large([2]) -> ();
    ${above("", count % LARGE).replaceAll("[2]", "[4]")}drop([4]) -> ();
    store([1]) -> ([1]);
    return([1]);
    f@0([1]: felt252, [2]: Large, [4]: felt252) -> (felt252);`;
}

test("a variable may be at most an instruction offset away from ap", () => {
  expect(compileUngassed(farAway(32_767)).codeSize).toBe(32_770);
  expect(() => compileUngassed(farAway(32_768))).toThrow("variable 1 is too far away from ap");
});

describe("ReferenceBudget bounds live variables", () => {
  const refs = (variables: number, cells: number): References => {
    const value: CellExpression[] = Array.from({ length: cells }, () => deref(apCell(-1)));
    const introduction = { source: undefined, destination: 0, output: 0 };
    const known = { cells: value, type: 0, stackIndex: undefined, introduction };
    return new Map(Array.from({ length: variables }, (_, i) => [i, known]));
  };

  test("at one statement, by number or by size", () => {
    for (const [variables, cells] of [
      [2 ** 15, 0],
      [1, 2 ** 15 - 1],
    ] as const) {
      const budget = new ReferenceBudget();
      const state = refs(variables, cells);
      for (let i = 0; i < 8; i++) expect(budget.take(state)).toBe(2 ** 15);
      expect(() => budget.take(state)).toThrow("too many variables");
    }
  });

  test("over all statements, even if few are live at the same time", () => {
    const budget = new ReferenceBudget();
    const state = refs(1, 2 ** 15 - 1);
    for (let i = 0; i < 4096; i++) budget.giveBack(budget.take(state));
    expect(() => budget.take(state)).toThrow("too many variables");
  });
});

test("a small program with many variables at each of many branches is rejected", () => {
  const many = 2_000;
  const numbers = Array.from({ length: many }, (_, i) => i + 1);
  const dups = numbers.map((i) => `dup([0]) -> ([0], [${i}]);`);
  const forks = numbers.flatMap((i) => [
    `is_zero([${i}]) { fallthrough() ${many + 2 * many + 2 * i - 2}([${i}]) };`,
    "align() -> ();",
  ]);
  const ends = numbers.flatMap(() => ["align() -> ();", "return();"]);
  const text = [
    "type felt252 = felt252;",
    "type NonZero = NonZero<felt252>;",
    "libfunc dup = dup<felt252>;",
    "libfunc is_zero = felt252_is_zero;",
    "libfunc align = branch_align;",
    ...[...dups, ...forks, ...ends],
    "f@0([0]: felt252) -> ();",
  ];
  expect(() => compileUngassed(text.join("\n"))).toThrow("too many variables");
});
