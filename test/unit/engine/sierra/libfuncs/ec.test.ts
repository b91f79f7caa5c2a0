import { describe, expect, test } from "bun:test";
import { apCell, deref, fpCell, immediate } from "#engine/sierra/casm/operand.ts";
import { CompileError } from "#engine/sierra/compile-error.ts";
import { EC_LIBFUNCS } from "#engine/sierra/libfuncs/ec/ec.ts";
import { LibfuncWorld } from "../../../../helpers/sierra/libfunc-world.ts";

const X = deref(fpCell(-4));
const Y = deref(fpCell(-3));
const STATE = [deref(fpCell(-8)), deref(fpCell(-7)), deref(fpCell(-6))];
const POINTER = [deref(fpCell(-9))];

const ARGUMENTS = {
  ec_point_zero: [],
  ec_point_unwrap: [[X, Y]],
  ec_point_is_zero: [[X, Y]],
  ec_neg: [[X, Y]],
  ec_neg_nz: [[X, Y]],
  ec_point_try_new_nz: [[X], [Y]],
  ec_point_from_x_nz: [POINTER, [X]],
  ec_state_init: [],
  ec_state_add: [STATE, [X, Y]],
  ec_state_add_mul: [POINTER, STATE, [X], [X, Y]],
  ec_state_try_finalize_nz: [STATE],
} as const;

function curveWorld(): LibfuncWorld {
  const world = new LibfuncWorld();
  for (const id of ["RangeCheck", "EcOp", "felt252"]) world.declare(id);
  world.wrap("NonZero", world.declare("EcPoint", { size: 2 }), { size: 2 });
  world.declare("EcState", { size: 3 });
  return world;
}

function build(id: keyof typeof ARGUMENTS) {
  const world = curveWorld();
  return world.build(world.make(EC_LIBFUNCS, id), { args: ARGUMENTS[id] });
}

describe("elliptic curve libfuncs", () => {
  test.each(Object.keys(ARGUMENTS) as (keyof typeof ARGUMENTS)[])(
    "%s matches its declarations",
    (id) => {
      expect(() => build(id)).not.toThrow();
    },
  );

  test.each(
    (Object.keys(ARGUMENTS) as (keyof typeof ARGUMENTS)[]).filter((id) => ARGUMENTS[id].length > 0),
  )("%s rejects coordinates that are not stored", (id) => {
    const world = curveWorld();
    const args = ARGUMENTS[id].map((cells) =>
      cells === POINTER ? cells : cells.map(() => immediate(1)),
    );
    expect(() => world.build(world.make(EC_LIBFUNCS, id), { args })).toThrow(CompileError);
  });

  test("ec_state_init returns a state on top of the stack", () => {
    expect(build("ec_state_init").outputs).toEqual([
      [[deref(apCell(-3)), deref(apCell(-2)), deref(apCell(-1))]],
    ]);
  });

  test("ec_state_try_finalize_nz returns a point on top of the stack", () => {
    expect(build("ec_state_try_finalize_nz").outputs).toEqual([
      [[deref(apCell(-2)), deref(apCell(-1))]],
      [],
    ]);
  });

  test("ec_state_add_mul uses seven cells of the builtin and pays for it", () => {
    const { instructions, outputs } = build("ec_state_add_mul");
    expect(instructions).toHaveLength(5);
    expect(outputs[0]?.[0]).toEqual([
      { kind: "bin_op", op: "add", a: fpCell(-9), b: immediate(7) },
    ]);
    const world = curveWorld();
    expect(world.costs(world.make(EC_LIBFUNCS, "ec_state_add_mul"))).toMatchObject([
      { precost: { EcOp: 1 } },
    ]);
  });

  test.each([
    [32_761, true],
    [32_762, false],
  ])("ec_state_add_mul requires all cells within 32767 of the pointer: %p", (offset, isTaken) => {
    const world = curveWorld();
    const pointer = { kind: "bin_op", op: "add", a: fpCell(-9), b: immediate(offset) } as const;
    const multiply = () =>
      world.build(world.make(EC_LIBFUNCS, "ec_state_add_mul"), {
        args: [[pointer], STATE, [X], [X, Y]],
      });
    if (isTaken) expect(multiply).not.toThrow();
    else expect(multiply).toThrow(CompileError);
  });

  test.each([
    ["ec_point_from_x_nz", ["FieldSqrt", "LinearSplit"]],
    ["ec_state_init", ["RandomEcPoint", "AllocConstantSize"]],
  ] as const)("%s uses its hints", (id, hints) => {
    const names = build(id).instructions.flatMap((each) => each.hints.map(({ name }) => name));
    expect(names).toEqual([...hints]);
  });
});
