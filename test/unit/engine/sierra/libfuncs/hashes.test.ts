import { describe, expect, test } from "bun:test";
import { apCell, deref, fpCell, immediate } from "#engine/sierra/casm/operand.ts";
import { CompileError } from "#engine/sierra/compile-error.ts";
import { typeArg } from "#engine/sierra/libfunc/arguments.ts";
import { BLAKE_LIBFUNCS } from "#engine/sierra/libfuncs/blake.ts";
import { HASH_LIBFUNCS } from "#engine/sierra/libfuncs/hashes.ts";
import { userTypeArg } from "#engine/sierra/libfuncs/shared/types.ts";
import { LibfuncWorld } from "../../../../helpers/sierra/libfunc-world.ts";

const BUILTIN = fpCell(-9);
const felt = (index: number) => deref(fpCell(-8 + index));

describe("hash libfuncs", () => {
  test.each([
    ["pedersen", 2, 1, { Pedersen: 1 }],
    ["hades_permutation", 3, 3, { Poseidon: 1 }],
  ] as const)(
    "%s writes its inputs and reads its outputs after them",
    (id, inputs, outputs, precost) => {
      const world = new LibfuncWorld();
      for (const type of ["Pedersen", "Poseidon", "felt252"]) world.declare(type);
      const libfunc = world.make(HASH_LIBFUNCS, id);
      const args = [[deref(BUILTIN)], ...Array.from({ length: inputs }, (_, i) => [felt(i)])];
      const built = world.build(libfunc, { args });
      expect(built.instructions).toHaveLength(inputs);
      expect(built.outputs).toEqual([
        [
          [{ kind: "bin_op", op: "add", a: BUILTIN, b: immediate(inputs + outputs) }],
          ...Array.from({ length: outputs }, (_, i) => [
            { kind: "double_deref", cell: BUILTIN, offset: inputs + i } as const,
          ]),
        ],
      ]);
      expect(world.costs(libfunc)).toMatchObject([{ cost: { steps: inputs }, precost }]);
    },
  );

  test.each([
    ["pedersen", 2, 32_765],
    ["hades_permutation", 3, 32_762],
  ] as const)("%s requires all cells within 32767 of the pointer", (id, inputs, last) => {
    const world = new LibfuncWorld();
    for (const type of ["Pedersen", "Poseidon", "felt252"]) world.declare(type);
    const build = (offset: number) => () => {
      const pointer = { kind: "bin_op", op: "add", a: BUILTIN, b: immediate(offset) } as const;
      const args = [[pointer], ...Array.from({ length: inputs }, (_, i) => [felt(i)])];
      return world.build(world.make(HASH_LIBFUNCS, id), { args });
    };
    expect(build(last)).not.toThrow();
    expect(build(last + 1)).toThrow(CompileError);
  });
});

function blakeWorld(): LibfuncWorld {
  const world = new LibfuncWorld();
  const word = typeArg(world.declare("u32"));
  for (const count of [8, 16]) {
    const args = [userTypeArg("Tuple"), ...Array.from({ length: count }, () => word)];
    world.wrap("Box", world.declare("Struct", { args, size: count }));
  }
  return world;
}

describe("Blake2s libfuncs", () => {
  test.each([
    ["blake2s_compress", false],
    ["blake2s_finalize", true],
  ] as const)("%s is a single instruction that writes a pointer to a new state", (id, finalize) => {
    const world = blakeWorld();
    const built = world.build(world.make(BLAKE_LIBFUNCS, id), {
      args: [[felt(0)], [felt(1)], [felt(2)]],
    });
    expect(built.outputs).toEqual([[[deref(apCell(-1))]]]);
    expect(built.instructions.map(({ body }) => body)).toEqual([
      {
        kind: "blake2s_compress",
        state: fpCell(-8),
        byteCount: fpCell(-7),
        message: fpCell(-6),
        finalize,
      },
    ]);
    const size = ["size", { kind: "input", value: immediate(8) }];
    const dst = ["dst", { kind: "output", cell: apCell(0) }];
    expect(built.instructions[0]?.hints).toEqual([
      { name: "AllocConstantSize", fields: [size, dst] },
    ] as never);
    expect(world.costs(world.make(BLAKE_LIBFUNCS, id))).toMatchObject([{ precost: { Blake: 1 } }]);
  });

  test("reject a byte count that is an immediate", () => {
    const world = blakeWorld();
    const build = () =>
      world.build(world.make(BLAKE_LIBFUNCS, "blake2s_compress"), {
        args: [[felt(0)], [immediate(64)], [felt(2)]],
      });
    expect(build).toThrow(CompileError);
  });
});
