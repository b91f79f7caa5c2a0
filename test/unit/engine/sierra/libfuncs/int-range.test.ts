import { describe, expect, test } from "bun:test";
import { deref, fpCell, immediate } from "#engine/sierra/casm/operand.ts";
import { CompileError } from "#engine/sierra/compile-error.ts";
import { typeArg } from "#engine/sierra/libfunc/arguments.ts";
import { INT_RANGE_LIBFUNCS } from "#engine/sierra/libfuncs/int-range.ts";
import { LibfuncWorld } from "../../../../helpers/sierra/libfunc-world.ts";

const START = deref(fpCell(-4));
const END = deref(fpCell(-3));

function make(id: string, lower: bigint, upper: bigint) {
  const world = new LibfuncWorld();
  world.declare("RangeCheck");
  const data = { kind: "integer", range: { lower, upper } } as const;
  const integer = world.declare("Integer", { data });
  world.wrap("IntRange", integer, { size: 2 });
  return { world, libfunc: world.make(INT_RANGE_LIBFUNCS, id, typeArg(integer)) };
}

describe("int_range libfuncs", () => {
  test("a range with an end before its start is empty", () => {
    const { world, libfunc } = make("int_range_try_new", -128n, 128n);
    const { outputs } = world.build(libfunc, { args: [[deref(fpCell(-9))], [START], [END]] });
    expect(outputs.map(([, range]) => range)).toEqual([
      [START, END],
      [END, END],
    ]);
  });

  test("pop_front returns the start of a range", () => {
    const { world, libfunc } = make("int_range_pop_front", 0n, 256n);
    const { outputs } = world.build(libfunc, { args: [[START, END]] });
    const next = { kind: "bin_op", op: "add", a: START.cell, b: immediate(1) } as const;
    expect(outputs).toEqual([[], [[next, END], [START]]]);
  });

  test("a range has at most 2^128 integers", () => {
    expect(() => make("int_range_try_new", -1n, 2n ** 128n - 1n)).not.toThrow();
    expect(() => make("int_range_try_new", -1n, 2n ** 128n)).toThrow(CompileError);
  });
});
