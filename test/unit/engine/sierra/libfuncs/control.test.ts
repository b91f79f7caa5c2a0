import { describe, expect, test } from "bun:test";
import { apCell, deref, immediate } from "#engine/sierra/casm/operand.ts";
import { typeArg } from "#engine/sierra/libfunc/arguments.ts";
import { BOOL_LIBFUNCS } from "#engine/sierra/libfuncs/bool.ts";
import { CONTROL_LIBFUNCS } from "#engine/sierra/libfuncs/control.ts";
import { userTypeArg } from "#engine/sierra/libfuncs/shared/types.ts";
import { LibfuncWorld } from "../../../../helpers/sierra/libfunc-world.ts";

/** A type that can neither be dropped nor duplicated, and its snapshot. */
function guardedWorld() {
  const world = new LibfuncWorld();
  const guarded = world.declare("Guarded", { info: { droppable: false, duplicatable: false } });
  const snapshot = world.wrap("Snapshot", guarded);
  const plain = world.declare("Plain");
  const make = (id: string, type: number) => world.make(CONTROL_LIBFUNCS, id, typeArg(type));
  return { world, guarded, snapshot, plain, make };
}

describe("drop, dup and snapshot_take", () => {
  test("drop and dup require a type that allows it", () => {
    const { guarded, plain, make } = guardedWorld();
    expect(() => make("drop", guarded)).toThrow("can be dropped");
    expect(() => make("dup", guarded)).toThrow("can be duplicated");
    expect(make("drop", plain).signature.params).toEqual([plain]);
    expect(make("dup", plain).signature.params).toEqual([plain]);
  });

  test("the snapshot of a duplicatable type is the type itself", () => {
    const { guarded, snapshot, plain, make } = guardedWorld();
    const outputs = (type: number) =>
      make("snapshot_take", type).signature.branches[0]?.variables.map((each) => each.type);
    expect(outputs(guarded)).toEqual([guarded, snapshot]);
    expect(outputs(plain)).toEqual([plain, plain]);
  });

  test("dup returns the same cells twice", () => {
    const { world, plain, make } = guardedWorld();
    const cell = [deref(apCell(-3))];
    const { instructions, outputs } = world.build(make("dup", plain), { args: [cell] });
    expect(instructions).toEqual([]);
    expect(outputs).toEqual([[cell, cell]]);
  });
});

describe("ap tracking", () => {
  test("branch_align moves ap by the amount in the metadata, without code for zero", () => {
    const world = new LibfuncWorld();
    const libfunc = world.make(CONTROL_LIBFUNCS, "branch_align");
    expect(world.build(libfunc).instructions).toEqual([]);
    const moved = world.build(libfunc, { alignCells: 4 }).instructions.map(({ body }) => body);
    expect(moved).toEqual([{ kind: "add_ap", operand: immediate(4) }]);
  });

  test("only revoke_ap_tracking breaks the stack", () => {
    const world = new LibfuncWorld();
    const changes = ["enable", "disable", "revoke"].map(
      (id) => world.make(CONTROL_LIBFUNCS, `${id}_ap_tracking`).signature.branches[0]?.apChange,
    );
    expect(changes).toEqual(["new_vars_only", "new_vars_only", "other"]);
  });
});

describe("boolean libfuncs", () => {
  function make(id: string) {
    const world = new LibfuncWorld();
    world.declare("felt252");
    const unit = typeArg(world.declare("Struct", { args: [userTypeArg("Tuple")], size: 0 }));
    world.declare("Enum", { args: [userTypeArg("core::bool"), unit, unit] });
    return world.make(BOOL_LIBFUNCS, id);
  }

  test("keep the stack intact if they write no cell", () => {
    const ids = ["bool_and_impl", "bool_not_impl", "bool_or_impl", "bool_xor_impl"];
    const changes = ids.map((id) => make(id).signature.branches[0]?.apChange);
    expect(changes).toEqual(["new_vars_only", "other", "other", "other"]);
  });

  test("bool_to_felt252 returns the same cell", () => {
    const [branch] = make("bool_to_felt252").signature.branches;
    expect(branch?.variables[0]?.reference).toEqual({ kind: "same_as_param", param: 0 });
  });
});
