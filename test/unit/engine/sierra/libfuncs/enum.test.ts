import { describe, expect, test } from "bun:test";
import { FIELD_PRIME } from "#base/primitives/index.ts";
import { cellPlus } from "#engine/sierra/casm/cell-expression.ts";
import { apCell, deref, immediate } from "#engine/sierra/casm/operand.ts";
import { typeArg } from "#engine/sierra/libfunc/arguments.ts";
import { constGas } from "#engine/sierra/libfunc/branch-cost.ts";
import { ENUM_LIBFUNCS } from "#engine/sierra/libfuncs/enum/family.ts";
import type { GenericArgument } from "#engine/sierra/program/program.ts";
import { LibfuncWorld } from "../../../../helpers/sierra/libfunc-world.ts";

const NAME: GenericArgument = { kind: "user_type", id: "0x1" };

/** Enum with variants of these sizes, with boxes of each variant and of the enum. */
function enumWorld(...sizes: readonly number[]) {
  const world = new LibfuncWorld();
  const variants = sizes.map((size, i) =>
    size === 0
      ? world.declare("Struct", { args: [NAME], size, info: { zeroSized: true } })
      : world.declare(`V${i}`, { size }),
  );
  const type = world.declare("Enum", {
    args: [NAME, ...variants.map(typeArg)],
    size: 1 + Math.max(0, ...sizes),
    data: { kind: "enum", variants },
  });
  for (const each of [...new Set(variants), type]) world.wrap("Box", each);
  return { world, type, variants };
}

function init(sizes: readonly number[], index: bigint) {
  const { world, type } = enumWorld(...sizes);
  const libfunc = world.make(ENUM_LIBFUNCS, "enum_init", typeArg(type), {
    kind: "value",
    value: index,
  });
  const value = Array.from({ length: sizes[Number(index)] ?? 0 }, (_, i) => deref(apCell(-9 + i)));
  return world.build(libfunc, { args: [value] }).outputs[0]?.[0];
}

function match(id: string, sizes: readonly number[], size: number) {
  const { world, type } = enumWorld(...sizes);
  const libfunc = world.make(ENUM_LIBFUNCS, id, typeArg(type));
  const cells = Array.from({ length: size }, (_, i) => deref(apCell(-9 + i)));
  const built = world.build(libfunc, { args: [cells] });
  const gas = world
    .costs(libfunc)
    .map((cost) => (cost.kind === "regular" ? constGas(cost.cost) : -1));
  return { ...built, gas, signature: libfunc.signature };
}

describe("enum_init", () => {
  test("uses the index as selector for up to two variants", () => {
    expect(init([1], 0n)).toEqual([immediate(0), deref(apCell(-9))]);
    expect(init([1, 1], 1n)).toEqual([immediate(1), deref(apCell(-9))]);
  });

  test("uses the jump distance as selector for three and more variants", () => {
    expect([0n, 1n, 2n].map((index) => init([1, 1, 1], index)?.[0])).toEqual([
      immediate(5),
      immediate(3),
      immediate(1),
    ]);
  });

  test("pads a smaller variant with leading zeros", () => {
    expect(init([1, 3], 0n)).toEqual([immediate(0), immediate(0), immediate(0), deref(apCell(-9))]);
  });

  test.each([-1n, 2n, 1n << 70n])("rejects index %p of two variants", (index) => {
    expect(() => init([1, 1], index)).toThrow("a variant below 2");
  });
});

describe("enum_match", () => {
  test("needs no code for one variant, a jump for two, a table for three", () => {
    const counts = [[1], [1, 1], [1, 1, 1]].map((sizes) => match("enum_match", sizes, 2));
    expect(counts.map(({ instructions }) => instructions.length)).toEqual([0, 1, 3]);
    expect(counts.map(({ gas }) => gas)).toEqual([[0], [100, 100], [100, 200, 200]]);
  });

  test("places the last variant first in the table", () => {
    const { relocations } = match("enum_match", [1, 1, 1], 2);
    expect(relocations).toEqual([
      { instruction: 1, target: { kind: "statement", statement: 102 } },
      { instruction: 2, target: { kind: "statement", statement: 101 } },
    ]);
  });

  test("passes the last cells to a variant", () => {
    const { outputs } = match("enum_match", [1, 2], 3);
    expect(outputs).toEqual([[[deref(apCell(-7))]], [[deref(apCell(-8)), deref(apCell(-7))]]]);
  });

  test("has no fallthrough without variants", () => {
    expect(match("enum_match", [], 1).signature.fallthrough).toBeUndefined();
  });

  test("rejects a selector that is not stored", () => {
    const { world, type } = enumWorld(1, 1);
    const libfunc = world.make(ENUM_LIBFUNCS, "enum_match", typeArg(type));
    const args = [[immediate(0), deref(apCell(-1))]];
    expect(() => world.build(libfunc, { args })).toThrow("is not stored");
  });
});

describe("enum_boxed_match", () => {
  test("loads the selector only if there is a choice", () => {
    const counts = [[1], [1, 1], [1, 1, 1]].map((sizes) => match("enum_boxed_match", sizes, 1));
    expect(counts.map(({ instructions }) => instructions.length)).toEqual([0, 2, 4]);
    expect(counts.map(({ gas }) => gas)).toEqual([[0], [200, 200], [200, 300, 300]]);
  });

  test("keeps the stack intact only if nothing is loaded", () => {
    const changes = [[1], [1, 1]].map((sizes) =>
      match("enum_boxed_match", sizes, 1).signature.branches.map(({ apChange }) => apChange),
    );
    expect(changes).toEqual([["new_vars_only"], ["other", "other"]]);
  });

  test("points past the selector and the padding", () => {
    const { outputs } = match("enum_boxed_match", [1, 3], 1);
    const box = apCell(-10);
    expect(outputs).toEqual([[[cellPlus(box, 3n)]], [[cellPlus(box, 1n)]]]);
  });
});

describe("enum_from_bounded_int", () => {
  function fromIndex(...sizes: readonly number[]) {
    const { world, type } = enumWorld(...sizes);
    world.declare("BoundedInt", {
      args: [
        { kind: "value", value: 0n },
        { kind: "value", value: BigInt(sizes.length - 1) },
      ],
    });
    return { world, libfunc: world.make(ENUM_LIBFUNCS, "enum_from_bounded_int", typeArg(type)) };
  }

  test("returns the index of up to two variants", () => {
    const { world, libfunc } = fromIndex(0, 0);
    const args = [[deref(apCell(-1))]];
    expect(world.build(libfunc, { args })).toMatchObject({ instructions: [], outputs: [args] });
  });

  test.each([3, 4, 57])("computes the selector of each of %p variants", (count) => {
    const { world, libfunc } = fromIndex(...Array.from({ length: count }, () => 0));
    const { instructions } = world.build(libfunc, { args: [[deref(apCell(-1))]] });
    const [body] = instructions.map((each) => each.body);
    const middle =
      body?.kind === "assert_eq" && body.b.kind === "bin_op" && body.b.b.kind === "immediate"
        ? body.b.b.value
        : undefined;
    const selectors = Array.from({ length: count }, (_, k) =>
      middle === undefined ? -1n : modulo(-2n * (BigInt(k) - middle)),
    );
    expect(selectors).toEqual(Array.from({ length: count }, (_, k) => BigInt(2 * (count - k) - 1)));
  });

  test("rejects a variant with a value", () => {
    expect(() => fromIndex(0, 1)).toThrow("empty variants");
    expect(() => fromIndex()).toThrow("empty variants");
  });
});

function modulo(value: bigint): bigint {
  return ((value % FIELD_PRIME) + FIELD_PRIME) % FIELD_PRIME;
}
