import { describe, expect, test } from "bun:test";
import { cellPlus } from "#engine/sierra/casm/cell-expression.ts";
import { apCell, deref } from "#engine/sierra/casm/operand.ts";
import { typeArg } from "#engine/sierra/libfunc/arguments.ts";
import { STRUCT_LIBFUNCS } from "#engine/sierra/libfuncs/struct.ts";
import { LibfuncWorld } from "../../../../helpers/sierra/libfunc-world.ts";

/** Struct with members of these sizes, with boxes of all. */
function structWorld(...sizes: readonly number[]) {
  const world = new LibfuncWorld();
  const members = sizes.map((size, i) =>
    world.declare(`M${i}`, { size, info: { zeroSized: size === 0 } }),
  );
  const size = sizes.reduce((sum, each) => sum + each, 0);
  const type = world.declare("Struct", {
    args: [{ kind: "user_type", id: "0x1" }, ...members.map(typeArg)],
    info: { zeroSized: size === 0 },
    data: { kind: "struct", members },
    size,
  });
  for (const each of [...members, type]) world.wrap("Box", each);
  return { world, make: (id: string) => world.make(STRUCT_LIBFUNCS, id, typeArg(type)) };
}

function references(id: string, ...sizes: readonly number[]): string[] {
  const [branch] = structWorld(...sizes).make(id).signature.branches;
  return (branch?.variables ?? []).map(({ reference }) =>
    reference.kind === "same_as_param" ? `param ${reference.param}` : reference.kind,
  );
}

describe("struct_construct", () => {
  test("returns the only member that has cells unchanged", () => {
    expect(references("struct_construct", 0, 2, 0)).toEqual(["param 1"]);
    expect(references("struct_construct", 0, 2, 1)).toEqual(["deferred"]);
    expect(references("struct_construct", 0, 0)).toEqual(["zero_sized"]);
    expect(references("struct_construct")).toEqual(["zero_sized"]);
  });
});

describe("struct_deconstruct", () => {
  const cells = [-3, -2, -1].map((offset) => deref(apCell(offset)));

  test("returns the cells of the members in sequence", () => {
    const { world, make } = structWorld(1, 0, 2);
    const { outputs } = world.build(make("struct_deconstruct"), { args: [cells] });
    expect(outputs).toEqual([[cells.slice(0, 1), [], cells.slice(1)]]);
  });

  test("rejects an argument of the wrong size", () => {
    const { world, make } = structWorld(1, 0, 2);
    const args = [cells.slice(1)];
    expect(() => world.build(make("struct_deconstruct"), { args })).toThrow("size of the struct");
  });
});

describe("struct_boxed_deconstruct", () => {
  test("reuses the box for members up to the first one with cells", () => {
    expect(references("struct_boxed_deconstruct", 0, 2, 0, 1)).toEqual([
      "param 0",
      "param 0",
      "deferred",
      "deferred",
    ]);
    expect(references("struct_boxed_deconstruct", 0, 0)).toEqual(["param 0", "param 0"]);
  });

  test("offsets the boxes of later members from the original pointer", () => {
    const { world, make } = structWorld(2, 3, 1);
    const pointer = apCell(-1);
    const args = [[cellPlus(pointer, 4n)]];
    const { outputs } = world.build(make("struct_boxed_deconstruct"), { args });
    expect(outputs).toEqual([[4n, 6n, 9n].map((offset) => [cellPlus(pointer, offset)])]);
  });

  test("rejects a member that gets out of reach", () => {
    const { world, make } = structWorld(2, 3);
    const args = [[cellPlus(apCell(-1), 2n ** 15n - 3n)]];
    const libfunc = make("struct_boxed_deconstruct");
    expect(() => world.build(libfunc, { args })).toThrow("out of reach");
  });
});
