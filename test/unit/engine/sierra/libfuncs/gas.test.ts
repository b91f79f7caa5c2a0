import { describe, expect, test } from "bun:test";
import { cellPlus } from "#engine/sierra/casm/cell-expression.ts";
import { apCell, deref, immediate } from "#engine/sierra/casm/operand.ts";
import type { CostToken } from "#engine/sierra/libfunc/branch-cost.ts";
import { GAS_LIBFUNCS } from "#engine/sierra/libfuncs/gas/family.ts";
import { GAS_RESERVE_LIBFUNCS } from "#engine/sierra/libfuncs/gas-reserve.ts";
import { LibfuncWorld } from "../../../../helpers/sierra/libfunc-world.ts";

const ARGS = [[deref(apCell(-3))], [deref(apCell(-2))]];

function build(
  id: string,
  gas: Readonly<Partial<Record<CostToken, number>>>,
  args: Parameters<LibfuncWorld["build"]>[1] & object,
) {
  const world = new LibfuncWorld();
  for (const type of ["RangeCheck", "GasBuiltin", "BuiltinCosts", "u128"]) world.declare(type);
  return world.build(world.make(GAS_LIBFUNCS, id), { ...args, gas });
}

describe("withdraw_gas", () => {
  test("subtracts a pure step cost as an immediate", () => {
    const { instructions, relocations } = build("withdraw_gas", { Const: 700 }, { args: ARGS });
    const texts = instructions.map(({ body }) => (body.kind === "assert_eq" ? body.b : body.kind));
    expect(texts[1]).toEqual({
      kind: "bin_op",
      op: "add",
      a: apCell(-3),
      b: immediate(2n ** 128n - 700n),
    });
    expect(relocations.map(({ target }) => target.kind)).toEqual(["statement"]);
  });

  test("reads the costs of builtins from the table after the program", () => {
    const { instructions, relocations } = build(
      "withdraw_gas",
      { Const: 700, Poseidon: 1, Bitwise: 3 },
      { args: ARGS },
    );
    const reads = instructions.flatMap(({ body }) =>
      body.kind === "assert_eq" && body.b.kind === "double_deref" && body.a.offset === 0
        ? [body.b.offset]
        : [],
    );
    expect(reads).toEqual([0, 3, 1]);
    expect(relocations.map(({ instruction, target }) => [instruction, target.kind])).toEqual([
      [0, "end_of_program"],
      [1, "end_of_program"],
      [12, "statement"],
    ]);
  });

  test.each([
    ["Pedersen", 0],
    ["Bitwise", 1],
    ["EcOp", 2],
    ["Poseidon", 3],
    ["AddMod", 4],
    ["MulMod", 5],
    ["Blake", 6],
  ] as const)("reads the cost of %s from entry %p of the table", (token, entry) => {
    const args = [...ARGS, [deref(apCell(-1))]];
    const { instructions } = build("withdraw_gas_all", { [token]: 1 }, { args });
    const [first] = instructions.map(({ body }) => body);
    const cost = { kind: "double_deref", cell: apCell(-1), offset: entry } as const;
    expect(first).toEqual({ kind: "assert_eq", a: apCell(0), b: cost });
  });

  test("requires room for one more range check after the pointer", () => {
    const pointer = (offset: bigint) => [[cellPlus(apCell(-3), offset)], [deref(apCell(-2))]];
    expect(() => build("withdraw_gas", {}, { args: pointer(2n ** 15n - 2n) })).not.toThrow();
    expect(() => build("withdraw_gas", {}, { args: pointer(2n ** 15n - 1n) })).toThrow("store it");
  });

  test("does not fetch a table that is an argument", () => {
    const args = [...ARGS, [deref(apCell(-1))]];
    const { relocations } = build("withdraw_gas_all", { Const: 700, Pedersen: 2 }, { args });
    expect(relocations.map(({ target }) => target.kind)).toEqual(["statement"]);
  });
});

describe("redeposit_gas", () => {
  const counter = { args: [[deref(apCell(-2))]] };

  test("needs no code without builtins", () => {
    expect(build("redeposit_gas", { Const: 5 }, counter)).toMatchObject({
      instructions: [],
      outputs: [[[{ kind: "bin_op", op: "add", a: apCell(-2), b: immediate(5) }]]],
    });
    expect(build("redeposit_gas", {}, counter).outputs).toEqual([[[deref(apCell(-2))]]]);
  });

  test("computes the amount with builtins", () => {
    const { instructions, outputs } = build("redeposit_gas", { Const: 5, EcOp: 1 }, counter);
    expect(instructions).toHaveLength(5);
    const sum = { kind: "bin_op", op: "add", a: apCell(-8), b: deref(apCell(-1)) } as const;
    expect(outputs).toEqual([[[sum]]]);
  });

  test("rejects a counter that is not stored", () => {
    expect(() => build("redeposit_gas", {}, { args: [[immediate(1)]] })).toThrow("store it first");
  });
});

test("get_unspent_gas returns the counter and the sum", () => {
  const { outputs } = build("get_unspent_gas", { Const: 5 }, { args: [[deref(apCell(-2))]] });
  const sum = { kind: "bin_op", op: "add", a: apCell(-2), b: immediate(5) } as const;
  expect(outputs).toEqual([[[deref(apCell(-2))], [sum]]]);
});

test("gas_reserve_create reuses the amount's cell, and keeps the counter if gas is insufficient", () => {
  const world = new LibfuncWorld();
  for (const type of ["RangeCheck", "GasBuiltin", "GasReserve", "u128"]) world.declare(type);
  const { signature } = world.make(GAS_RESERVE_LIBFUNCS, "gas_reserve_create");
  const references = signature.branches.map(({ variables }) =>
    variables.slice(1).map(({ reference }) => reference),
  );
  expect(references).toEqual([
    [
      { kind: "new_temp_var", index: 0 },
      { kind: "same_as_param", param: 2 },
    ],
    [{ kind: "same_as_param", param: 1 }],
  ]);
});
