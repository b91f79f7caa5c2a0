import { describe, expect, test } from "bun:test";
import { apCell, deref, fpCell, immediate } from "#engine/sierra/casm/operand.ts";
import { typeArg } from "#engine/sierra/libfunc/arguments.ts";
import { BOX_LIBFUNCS } from "#engine/sierra/libfuncs/box.ts";
import { LibfuncWorld } from "../../../../helpers/sierra/libfunc-world.ts";

function boxWorld(size: number) {
  const world = new LibfuncWorld();
  const type = world.declare("T", { size, info: { zeroSized: size === 0 } });
  world.wrap("Box", type);
  return { world, make: (id: string) => world.make(BOX_LIBFUNCS, id, typeArg(type)) };
}

describe("into_box", () => {
  test("writes a value to memory allocated by a hint", () => {
    const { world, make } = boxWorld(2);
    const args = [[deref(apCell(-2)), deref(apCell(-1))]];
    const { instructions, outputs } = world.build(make("into_box"), { args });
    expect(instructions.map(({ incAp, hints }) => [incAp, hints.length])).toEqual([
      [true, 1],
      [false, 0],
    ]);
    expect(outputs).toEqual([[[deref(apCell(-1))]]]);
  });

  test("returns a non-null box for a zero-sized value", () => {
    const { world, make } = boxWorld(0);
    const { instructions } = world.build(make("into_box"), { args: [[]] });
    expect(instructions.map(({ body }) => body)).toEqual([
      { kind: "assert_eq", a: apCell(0), b: immediate(1) },
    ]);
  });

  test("rejects a value that is not stored", () => {
    const { world, make } = boxWorld(1);
    expect(() => world.build(make("into_box"), { args: [[immediate(3)]] })).toThrow("store it");
  });
});

describe("local_into_box", () => {
  test("returns the pushed fp plus the offset of the local", () => {
    const { world, make } = boxWorld(2);
    const args = [[deref(fpCell(5)), deref(fpCell(6))]];
    const { outputs } = world.build(make("local_into_box"), { args });
    const sum = { kind: "bin_op", op: "add", a: apCell(-2), b: immediate(5) } as const;
    expect(outputs).toEqual([[[sum]]]);
  });

  test("rejects a value on the stack", () => {
    const { world, make } = boxWorld(1);
    const args = [[deref(apCell(-1))]];
    expect(() => world.build(make("local_into_box"), { args })).toThrow("is not a local");
  });
});

describe("unbox", () => {
  test("reads each cell through the pointer", () => {
    const { world, make } = boxWorld(2);
    const { outputs } = world.build(make("unbox"), { args: [[deref(apCell(-4))]] });
    const read = (offset: number) => ({ kind: "double_deref", cell: apCell(-4), offset }) as const;
    expect(outputs).toEqual([[[read(0), read(1)]]]);
  });

  test("rejects a pointer that is not stored", () => {
    const { world, make } = boxWorld(2);
    const sum = { kind: "bin_op", op: "add", a: apCell(-2), b: immediate(5) } as const;
    expect(() => world.build(make("unbox"), { args: [[sum]] })).toThrow("not in a cell");
  });
});
