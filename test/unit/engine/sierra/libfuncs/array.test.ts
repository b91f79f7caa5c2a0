import { describe, expect, test } from "bun:test";
import type { CellExpression } from "#engine/sierra/casm/cell-expression.ts";
import { apCell, deref, fpCell, immediate } from "#engine/sierra/casm/operand.ts";
import { CompileError } from "#engine/sierra/compile-error.ts";
import { typeArg } from "#engine/sierra/libfunc/arguments.ts";
import { ARRAY_LIBFUNCS } from "#engine/sierra/libfuncs/array/array.ts";
import { LibfuncWorld } from "../../../../helpers/sierra/libfunc-world.ts";

const START = fpCell(-5);
const END = fpCell(-4);
const ARRAY = [deref(START), deref(END)];
const RANGE_CHECK = [deref(fpCell(-7))];
const INDEX = [deref(fpCell(-3))];
const COUNT = [deref(fpCell(-8))];

/**
 * World with an element type of this size, a tuple of two elements, and all types that array
 * libfuncs need.
 */
function arrayWorld(size: number) {
  const world = new LibfuncWorld();
  for (const id of ["RangeCheck", "u32"]) world.declare(id);
  const element = world.declare("Element", { size });
  const array = world.wrap("Array", element, { size: 2, info: { duplicatable: false } });
  world.wrap("Snapshot", array, { size: 2 });
  const tuple = tupleOf(world, [element, element], 2 * size);
  for (const type of [element, tuple]) world.wrap("Box", type);
  return { world, element, array, tuple };
}

function tupleOf(world: LibfuncWorld, members: readonly number[], size: number): number {
  return world.declare("Struct", {
    args: [{ kind: "user_type", id: "0x1" }, ...members.map(typeArg)],
    size,
    info: { zeroSized: size === 0 },
    data: { kind: "struct", members },
  });
}

function build(id: string, size: number, args: readonly (readonly CellExpression[])[]) {
  const { world, element, tuple } = arrayWorld(size);
  const isOfTuple = /multi_pop|tuple/.test(id);
  const libfunc = world.make(ARRAY_LIBFUNCS, id, typeArg(isOfTuple ? tuple : element));
  return world.build(libfunc, { args });
}

const plus = (cell: ReturnType<typeof fpCell>, value: number) =>
  ({ kind: "bin_op", op: "add", a: cell, b: immediate(value) }) as const;

const ARGUMENTS: Readonly<Record<string, readonly (readonly CellExpression[])[]>> = {
  array_len: [ARRAY],
  array_get: [RANGE_CHECK, ARRAY, INDEX],
  array_slice: [RANGE_CHECK, ARRAY, INDEX, COUNT],
  array_pop_front: [ARRAY],
  array_pop_front_consume: [ARRAY],
  array_snapshot_pop_front: [ARRAY],
  array_snapshot_pop_back: [ARRAY],
  array_snapshot_multi_pop_front: [RANGE_CHECK, ARRAY],
  array_snapshot_multi_pop_back: [RANGE_CHECK, ARRAY],
  tuple_from_span: [ARRAY],
  span_from_tuple: [INDEX],
};

describe("array libfuncs", () => {
  for (const [id, args] of Object.entries(ARGUMENTS)) {
    test.each([1, 2, 7])(`${id} with elements of %p cells matches its declarations`, (size) => {
      expect(() => build(id, size, args)).not.toThrow();
    });

    test(`${id} rejects an array or pointer that is not stored`, () => {
      const moved = args.map((cells) =>
        cells === RANGE_CHECK ? cells : cells.map((_, i) => plus(fpCell(-4), i + 1)),
      );
      expect(() => build(id, 1, moved)).toThrow(CompileError);
    });
  }

  test.each([
    ["array_new", ["AllocSegment"]],
    ["array_get", ["TestLessThan"]],
    ["array_slice", ["TestLessThanOrEqual"]],
    ["array_snapshot_multi_pop_front", ["TestLessThanOrEqualAddress"]],
    ["array_snapshot_multi_pop_back", ["TestLessThanOrEqualAddress"]],
  ] as const)("%s uses its hints", (id, hints) => {
    const { instructions } = build(id, 2, ARGUMENTS[id] ?? []);
    const names = instructions.flatMap((each) => each.hints.map(({ name }) => name));
    expect(names).toEqual([...hints]);
  });

  test("array_new returns an empty array", () => {
    const [outputs] = build("array_new", 1, []).outputs;
    expect(outputs).toEqual([[deref(apCell(-1)), deref(apCell(-1))]]);
  });

  test("array_append writes the element after the last one", () => {
    const element = [deref(fpCell(-9)), deref(fpCell(-8))];
    const { instructions, outputs } = build("array_append", 2, [
      [deref(START), plus(END, 3)],
      element,
    ]);
    expect(outputs).toEqual([[[deref(START), plus(END, 5)]]]);
    expect(instructions.map(({ body }) => body)).toEqual([
      { kind: "assert_eq", a: fpCell(-9), b: { kind: "double_deref", cell: END, offset: 3 } },
      { kind: "assert_eq", a: fpCell(-8), b: { kind: "double_deref", cell: END, offset: 4 } },
    ]);
  });

  test.each([
    [32_766, true],
    [32_767, false],
  ])("array_append writes at most 32767 cells after a pointer: %p", (offset, isWritten) => {
    const append = () =>
      build("array_append", 1, [[deref(START), plus(END, offset)], [deref(fpCell(-9))]]);
    if (isWritten) expect(append).not.toThrow();
    else expect(append).toThrow(CompileError);
  });

  test("array_len counts elements", () => {
    const cells = { kind: "bin_op", op: "sub", a: END, b: deref(START) };
    expect(build("array_len", 1, [ARRAY]).outputs).toEqual([[[cells]]] as never);
    const elements = { kind: "bin_op", op: "div", a: apCell(-1), b: immediate(3) };
    expect(build("array_len", 3, [ARRAY]).outputs).toEqual([[[elements]]] as never);
  });

  test("array_pop_front_consume returns nothing for an empty array", () => {
    expect(build("array_pop_front", 2, [ARRAY]).outputs[1]).toEqual([ARRAY]);
    expect(build("array_pop_front_consume", 2, [ARRAY]).outputs[1]).toEqual([]);
  });

  test("span_from_tuple returns the span of the members", () => {
    const [outputs] = build("span_from_tuple", 3, [INDEX]).outputs;
    expect(outputs).toEqual([[deref(fpCell(-3)), plus(fpCell(-3), 6)]]);
  });

  test.each(["span_from_tuple", "tuple_from_span", "array_snapshot_multi_pop_back"])(
    "%s requires structs with members of one type",
    (id) => {
      const { world, element, array, tuple } = arrayWorld(1);
      const mixed = tupleOf(world, [element, array], 3);
      const empty = tupleOf(world, [], 0);
      const make = (type: number) => () => world.make(ARRAY_LIBFUNCS, id, typeArg(type));
      for (const type of [mixed, empty, element]) expect(make(type)).toThrow(CompileError);
      expect(make(tuple)).not.toThrow();
    },
  );
});
