import { describe, expect, test } from "bun:test";
import { deref, apCell, immediate } from "#engine/sierra/casm/operand.ts";
import { typeArg } from "#engine/sierra/libfunc/arguments.ts";
import { BYTES31_LIBFUNCS } from "#engine/sierra/libfuncs/bytes31.ts";
import { CONST_LIBFUNCS } from "#engine/sierra/libfuncs/const.ts";
import { FELT252_LIBFUNCS } from "#engine/sierra/libfuncs/felt252.ts";
import type { GenericArgument } from "#engine/sierra/program/program.ts";
import { LibfuncWorld } from "../../../../helpers/sierra/libfunc-world.ts";

function constWorld() {
  const world = new LibfuncWorld();
  const felt = world.declare("felt252");
  world.declare("bytes31");
  world.wrap("NonZero", felt);
  world.wrap("Box", felt);
  const args = [typeArg(felt), value(7n)];
  const type = world.declare("Const", { args, data: { kind: "const", inner: felt, args } });
  return { world, felt, type };
}

function value(number: bigint): GenericArgument {
  return { kind: "value", value: number };
}

describe("const_as_box", () => {
  test("computes the address of the constant from a pushed call address", () => {
    const { world, type } = constWorld();
    const libfunc = world.make(CONST_LIBFUNCS, "const_as_box", typeArg(type), value(3n));
    const { relocations, outputs } = world.build(libfunc);
    expect(relocations).toEqual([
      { instruction: 0, target: { kind: "segment", segment: 3 } },
      { instruction: 1, target: { kind: "const", segment: 3, type } },
    ]);
    expect(outputs).toEqual([[[deref(apCell(-1))]]]);
  });

  test.each([-1n, 2n ** 32n])("rejects segment %p", (segment) => {
    const { world, type } = constWorld();
    expect(() => world.make(CONST_LIBFUNCS, "const_as_box", typeArg(type), value(segment))).toThrow(
      "number of a segment",
    );
  });

  test("rejects a type that is not a constant", () => {
    const { world, felt } = constWorld();
    const args = [typeArg(felt), value(0n)];
    expect(() => world.make(CONST_LIBFUNCS, "const_as_box", ...args)).toThrow("a constant type");
    expect(() => world.make(CONST_LIBFUNCS, "const_as_immediate", typeArg(felt))).toThrow(
      "a constant type",
    );
  });
});

test("const_as_immediate returns every cell as a number", () => {
  const { world, type } = constWorld();
  const libfunc = world.make(CONST_LIBFUNCS, "const_as_immediate", typeArg(type));
  const { outputs } = world.build(libfunc, { constCells: [7n, 0n] });
  expect(outputs).toEqual([[[immediate(7), immediate(0)]]]);
});

describe("bytes31_const", () => {
  test.each([0n, 2n ** 248n - 1n])("accepts %p", (word) => {
    const { world } = constWorld();
    const libfunc = world.make(BYTES31_LIBFUNCS, "bytes31_const", value(word));
    expect(world.build(libfunc).outputs).toEqual([[[immediate(word)]]]);
  });

  test.each([-1n, 2n ** 248n])("rejects %p", (word) => {
    const { world } = constWorld();
    expect(() => world.make(BYTES31_LIBFUNCS, "bytes31_const", value(word))).toThrow(
      "a value from",
    );
  });
});

describe("felt252_div", () => {
  test("stores the quotient immediately", () => {
    const { world } = constWorld();
    const libfunc = world.make(FELT252_LIBFUNCS, "felt252_div_const", value(5n));
    const { instructions, outputs } = world.build(libfunc, { args: [[deref(apCell(-1))]] });
    const product = { kind: "bin_op", op: "mul", a: apCell(0), b: immediate(5) } as const;
    expect(instructions.map(({ body }) => body)).toEqual([
      { kind: "assert_eq", a: apCell(-1), b: product },
    ]);
    expect(outputs).toEqual([[[deref(apCell(-1))]]]);
  });

  test("rejects a division by the constant 0", () => {
    const { world } = constWorld();
    expect(() => world.make(FELT252_LIBFUNCS, "felt252_div_const", value(0n))).toThrow(
      "other than zero",
    );
  });
});
