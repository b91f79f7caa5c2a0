import { describe, expect, test } from "bun:test";
import { type CompiledProgram, compileProgram } from "#engine/sierra/compile/compiler.ts";
import type { CostToken } from "#engine/sierra/libfunc/branch-cost.ts";
import { analyzeSierra } from "#test/helpers/sierra/compile-text.ts";

const DECLARATIONS = `
  type felt252 = felt252;
  type NonZero = NonZero<felt252>;
  type Pedersen = Pedersen;
  libfunc align = branch_align;
  libfunc jump = jump;
  libfunc drop_nz = drop<NonZero>;
  libfunc is_zero = felt252_is_zero;
  libfunc store = store_temp<felt252>;
  libfunc store_builtin = store_temp<Pedersen>;
  libfunc pedersen = pedersen;
`;

const STORES = `${DECLARATIONS}
  store([1]) -> ([1]);
  return([1]);
  f@0([1]: felt252) -> (felt252);
`;

const HASH = `${DECLARATIONS}
  pedersen([1], [2], [3]) -> ([1], [2]);
  store_builtin([1]) -> ([1]);
  store([2]) -> ([2]);
  return([1], [2]);
  f@0([1]: Pedersen, [2]: felt252, [3]: felt252) -> (Pedersen, felt252);
`;

const MEETING = `${DECLARATIONS}
  is_zero([1]) { fallthrough() 3([1]) };
  align() -> ();
  jump() { 6() };
  align() -> ();
  drop_nz([1]) -> ();
  jump() { 6() };
  return();
  f@0([1]: felt252) -> ();
`;

/** Compiles a program of one function with these declared costs. */
function compileWith(text: string, costs: Partial<Record<CostToken, number>>): CompiledProgram {
  const { program, registry, metadata } = analyzeSierra(text);
  const tokens = new Map(Object.entries(costs) as [CostToken, number][]);
  const functionCosts = new Map([[0, tokens]]);
  const changed = { ...metadata, functionCosts };
  return compileProgram(program, registry, changed, { maxBytecodeSize: 1_000 });
}

describe("compileProgram rejects a function that exceeds its declared cost", () => {
  test("in steps", () => {
    expect(compileWith(STORES, { Const: 200 }).codeSize).toBe(2);
    expect(() => compileWith(STORES, { Const: 99 })).toThrow(
      "statement #0 (store_temp): out of gas: 1 of Const are missing",
    );
  });

  test("in builtins", () => {
    expect(compileWith(HASH, { Const: 1_000, Pedersen: 1 }).codeSize).toBeGreaterThan(0);
    expect(() => compileWith(HASH, { Const: 1_000 })).toThrow(
      "statement #0 (pedersen): out of gas: 1 of Pedersen are missing",
    );
  });

  test("only with gas checks", () => {
    const { program, registry, metadata } = analyzeSierra(STORES);
    const changed = { ...metadata, functionCosts: new Map() };
    const options = { maxBytecodeSize: 1_000, checkGas: false };
    expect(compileProgram(program, registry, changed, options).codeSize).toBe(2);
  });
});

test("compileProgram rejects merging paths that leave different gas", () => {
  const { program, registry, metadata } = analyzeSierra(MEETING);
  const options = { maxBytecodeSize: 1_000 };
  expect(compileProgram(program, registry, metadata, options).codeSize).toBeGreaterThan(0);
  const burned = (token: CostToken, statement: number): number | undefined =>
    token === "Const" && statement === 3 ? 7 : metadata.gasVariables(token, statement);
  const costs = new Map([[0, new Map([["Const", 1_000] as const])]]);
  const changed = { ...metadata, gasVariables: burned, functionCosts: costs };
  expect(() => compileProgram(program, registry, changed, options)).toThrow(
    "two paths to it differ in the gas that is left",
  );
});
