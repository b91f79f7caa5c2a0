import { describe, expect, test } from "bun:test";
import type { CostToken } from "#engine/sierra/libfunc/branch-cost.ts";
import { computeMetadata } from "#engine/sierra/metadata/metadata.ts";
import {
  align,
  buy,
  call,
  fork,
  jump,
  redeposit,
  refund,
  ret,
  sketchedProgram,
  type StatementSketch,
  unspent,
  withdraw,
  work,
} from "#test/helpers/sierra/flow-sketch.ts";

function gasOf(
  sketches: readonly StatementSketch[],
  entries: readonly number[] = [0],
  enforced?: number,
) {
  const { program, registry } = sketchedProgram(sketches, entries);
  const metadata = computeMetadata(program, registry, {
    enforced: enforced === undefined ? new Map() : new Map([[0, new Map([["Const", enforced]])]]),
  });
  const variables = (token: CostToken = "Const") => {
    const found: Record<number, number> = {};
    for (const statement of sketches.keys()) {
      const gas = metadata.gasVariables(token, statement);
      if (gas !== undefined) found[statement] = gas;
    }
    return found;
  };
  const cost = (id = 0) => Object.fromEntries(metadata.functionCosts.get(id) ?? []);
  return { variables, cost };
}

const shortAndLong = [fork(4), align, work(3), ret, align, work(1), ret];

// Expected values are computed by hand from the rules of the Sierra compiler's linear gas solver.
// A step is 100, an empty cell 10; `branch_align` of n cells is a step and n empty cells.
describe("computeMetadata: gas", () => {
  test("of a function is that of its most expensive path, and cheaper paths burn the rest", () => {
    const { cost, variables } = gasOf(shortAndLong);
    expect(cost()).toEqual({ Const: 300 });
    expect(variables()).toEqual({ 1: 0, 4: 300 - (120 + 100) });
  });

  test("of a call is that of the function plus two steps", () => {
    const { cost } = gasOf([call(1), work(1), ret, work(4), ret], [0, 3]);
    expect(cost()).toEqual({ Const: 700 });
  });

  test("of builtins is counted separately", () => {
    const program = [fork(4), align, work(1, { Pedersen: 2 }), ret, align, work(1), ret];
    const { cost, variables } = gasOf(program);
    expect(cost()).toEqual({ Const: 100, Pedersen: 2 });
    expect(variables("Pedersen")).toEqual({ 1: 0, 4: 2 });
    expect(variables("Bitwise")).toEqual({ 1: 0, 4: 0 });
  });

  test("is withdrawn for the successful path", () => {
    const { cost, variables } = gasOf([withdraw(4), align, work(5), ret, align, ret]);
    // The failing path: four steps, a range check, five cells to align.
    expect(cost()).toEqual({ Const: 470 + 150 });
    expect(variables()).toEqual({ 0: 500 + 370 - 620, 1: 0, 4: 0 });
  });

  test("is burned after withdraw_gas if the failing path is more expensive", () => {
    const { cost, variables } = gasOf([withdraw(4), align, work(1), ret, align, work(20), ret]);
    expect(cost()).toEqual({ Const: 470 + 2000 });
    expect(variables()).toEqual({ 0: 0, 1: 2470 - (370 + 290 + 100), 4: 0 });
  });

  test("of builtins is withdrawn with the steps that sum their prices", () => {
    const precost = { Pedersen: 1, Bitwise: 3 };
    const { cost, variables } = gasOf([withdraw(4), align, work(1, precost), ret, align, ret]);
    expect(variables("Pedersen")).toEqual({ 0: 1, 1: 0, 4: 0 });
    expect(variables("Bitwise")).toEqual({ 0: 3, 1: 0, 4: 0 });
    // Two steps for one use, three for several, four to fetch the table.
    expect(cost()).toEqual({ Const: 100 * (3 + 9 + 2) + 70 });
    expect(variables()).toEqual({ 0: 0, 1: 1470 - (1270 + 100), 4: 0 });
  });

  test("of builtins is withdrawn without fetching a table that is an argument", () => {
    const program = [withdraw(4, true), align, work(1, { Pedersen: 1 }), ret, align, ret];
    const { cost } = gasOf(program);
    expect(cost()).toEqual({ Const: 100 * (3 + 2 + 2) + 70 });
  });

  test("allows recursion that withdraws gas", () => {
    const { cost } = gasOf([withdraw(4), align, call(0), ret, align, ret]);
    expect(cost()["Const"]).toBeGreaterThan(0);
  });

  test.each([
    ["calls itself", [call(0), ret]],
    ["loops", [jump(0)]],
  ])("of a function that %s without withdraw_gas is rejected", (_, program) => {
    expect(() => gasOf(program)).toThrow("without withdraw_gas");
  });

  test("that is left over is redeposited", () => {
    const { cost, variables } = gasOf([
      ...[fork(5), align, redeposit, work(1), ret],
      ...[align, work(3), ret],
    ]);
    expect(cost()).toEqual({ Const: 300 });
    expect(variables()).toEqual({ 1: 0, 2: 300 - (120 + 100), 5: 0 });
  });

  test("that is left over reduces a later withdraw_gas", () => {
    const { variables } = gasOf([
      ...[fork(8), align, withdraw(6), align, work(9), ret],
      ...[align, ret],
      ...[align, work(9), ret],
    ]);
    // The expensive path: to align two cells, and nine steps. The failing path: to align nine
    // cells.
    const [costly, failing] = [120 + 900, 470 + 190];
    expect(variables()).toEqual({
      1: 0,
      2: 900 + 370 - costly,
      3: 0,
      6: costly - failing,
      8: 0,
    });
  });

  test("from a backward jump is neither redeposited nor passed to other branches", () => {
    const { variables } = gasOf(
      [...[jump(2), withdraw(5), align, work(1), jump(1)], ...[align, redeposit, ret]],
      [0],
      5000,
    );
    expect(variables()[5]).toBeGreaterThan(0);
    expect(variables()[6]).toBe(0);
  });

  test("of a coupon is refunded as far as it is usable", () => {
    const callee = [work(20), ret];
    const unused = gasOf([buy(1), refund(1), ret, ...callee], [0, 3]);
    expect(unused.cost()).toEqual({ Const: 2000 });
    expect(unused.variables()).toEqual({ 1: 2000 });
    const used = gasOf([buy(1), work(1), refund(1), work(5), ret, ...callee], [0, 5]);
    expect(used.cost()).toEqual({ Const: 2100 });
    expect(used.variables()).toEqual({ 2: 1500 });
  });

  test("that remains is reported by get_unspent_gas", () => {
    expect(gasOf([unspent, work(2), ret]).variables()).toEqual({ 0: 200 });
  });

  test("of a function with a fixed cost is burned up to it", () => {
    const { cost, variables } = gasOf(shortAndLong, [0], 1000);
    expect(cost()).toEqual({ Const: 1000 });
    expect(variables()).toEqual({ 1: 700, 4: 780 });
  });

  test.each([400, 600])("of a function cannot be fixed to %d if it takes 500", (gas) => {
    expect(() => gasOf([work(5), ret], [0], gas)).toThrow(`costs 500 and cannot cost ${gas}`);
  });

  test("above 32 bits is rejected", () => {
    const functions = 40;
    const sketches = Array.from({ length: functions }, (_, id) =>
      id + 1 < functions ? [call(id + 1), call(id + 1), ret] : [work(1), work(1), ret],
    ).flat();
    const entries = Array.from({ length: functions }, (_, id) => id * 3);
    expect(() => gasOf(sketches, entries)).toThrow("does not fit in 32 bits");
  });
});
