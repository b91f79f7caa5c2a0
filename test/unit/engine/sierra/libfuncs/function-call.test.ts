import { describe, expect, test } from "bun:test";
import type { CellExpression } from "#engine/sierra/casm/cell-expression.ts";
import { apCell, deref, fpCell, immediate } from "#engine/sierra/casm/operand.ts";
import { CONTROL_LIBFUNCS } from "#engine/sierra/libfuncs/control.ts";
import { LibfuncWorld } from "../../../../helpers/sierra/libfunc-world.ts";

/** A function of a felt and a pair that returns a felt, a unit and a pair. */
function callWorld() {
  const world = new LibfuncWorld();
  const felt = world.declare("felt252");
  const unit = world.declare("Unit", { size: 0, info: { zeroSized: true } });
  const pair = world.declare("Pair", { size: 2 });
  world.functions.push({ params: [felt, pair], returns: [felt, unit, pair] });
  const callee = { kind: "function", function: 0 } as const;
  const coupon = world.declare("Coupon", {
    args: [callee],
    size: 0,
    info: { zeroSized: true },
    data: { kind: "coupon", function: 0 },
  });
  return { world, felt, coupon, call: world.make(CONTROL_LIBFUNCS, "function_call", callee) };
}

const STACK = [[deref(apCell(-3))], [deref(apCell(-2)), deref(apCell(-1))]];

describe("function_call", () => {
  test("returns results at the top of the stack in order", () => {
    const { world, call } = callWorld();
    const { outputs } = world.build(call, { args: STACK });
    expect(outputs).toEqual([[[deref(apCell(-3))], [], [deref(apCell(-2)), deref(apCell(-1))]]]);
    const references = call.signature.branches[0]?.variables.map(({ reference }) => reference);
    expect(references).toEqual([
      { kind: "new_temp_var", index: 0 },
      { kind: "zero_sized" },
      { kind: "new_temp_var", index: 1 },
    ]);
  });

  test("calls the entry of the function", () => {
    const { world, call } = callWorld();
    const { relocations } = world.build(call, { args: STACK });
    expect(relocations).toEqual([
      { instruction: 0, target: { kind: "statement", statement: 1000 } },
    ]);
  });

  const elsewhere: readonly [string, CellExpression[][]][] = [
    ["below the top", [[deref(apCell(-4))], [deref(apCell(-3)), deref(apCell(-2))]]],
    ["in the wrong order", [[deref(apCell(-1))], [deref(apCell(-3)), deref(apCell(-2))]]],
    ["relative to fp", [[deref(fpCell(-3))], [deref(apCell(-2)), deref(apCell(-1))]]],
    ["not stored", [[immediate(3)], [deref(apCell(-2)), deref(apCell(-1))]]],
  ];
  test.each(elsewhere)("rejects arguments that are %s", (_, args) => {
    const { world, call } = callWorld();
    expect(() => world.build(call, { args })).toThrow("at the top of the stack");
  });
});

describe("coupon libfuncs", () => {
  test("coupon_buy costs what the function costs, and coupon_refund returns it", () => {
    const { world, coupon } = callWorld();
    const costs = (id: string) =>
      world.costs(world.make(CONTROL_LIBFUNCS, id, { kind: "type", type: coupon }));
    expect(costs("coupon_buy")).toEqual([{ kind: "function", cost: {}, function: 0, sign: 1 }]);
    expect(costs("coupon_refund")).toEqual([{ kind: "function", cost: {}, function: 0, sign: -1 }]);
  });

  test("reject a type that is not a coupon", () => {
    const { world, felt } = callWorld();
    for (const id of ["coupon_buy", "coupon_refund"]) {
      expect(() => world.make(CONTROL_LIBFUNCS, id, { kind: "type", type: felt })).toThrow(
        "expected a coupon",
      );
    }
  });

  test("reject a coupon of a missing function", () => {
    const { world } = callWorld();
    const coupon = world.declare("Coupon", {
      args: [{ kind: "function", function: 5 }],
      data: { kind: "coupon", function: 5 },
    });
    for (const id of ["coupon_buy", "coupon_refund"]) {
      expect(() => world.make(CONTROL_LIBFUNCS, id, { kind: "type", type: coupon })).toThrow(
        "no function 5",
      );
    }
  });

  test("coupon_call pays only for the call", () => {
    const { world } = callWorld();
    const call = world.make(CONTROL_LIBFUNCS, "coupon_call", { kind: "function", function: 0 });
    expect(world.costs(call)).toEqual([{ kind: "regular", cost: { steps: 2 }, precost: {} }]);
    expect(call.signature.params).toHaveLength(3);
    expect(world.build(call, { args: [...STACK, []] }).instructions).toHaveLength(1);
  });
});
