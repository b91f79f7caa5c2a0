import { describe, expect, test } from "bun:test";
import { apCell, deref, fpCell, immediate } from "#engine/sierra/casm/operand.ts";
import { typeArg } from "#engine/sierra/libfunc/arguments.ts";
import type { FrameState } from "#engine/sierra/libfunc/invocation-builder.ts";
import { MEM_LIBFUNCS } from "#engine/sierra/libfuncs/memory.ts";
import { LibfuncWorld, type WorldSite } from "../../../../helpers/sierra/libfunc-world.ts";

const AT_START = { kind: "enabled", base: undefined, cells: 2 } as const;

function pairWorld() {
  const world = new LibfuncWorld();
  const pair = world.declare("Pair", { size: 2 });
  world.wrap("Uninitialized", pair);
  const hidden = world.declare("Hidden", { info: { storable: false } });
  world.wrap("Uninitialized", hidden);
  return { world, pair, hidden };
}

function alloc(site: WorldSite): FrameState {
  const { world, pair } = pairWorld();
  const libfunc = world.make(MEM_LIBFUNCS, "alloc_local", typeArg(pair));
  return world.build(libfunc, site).frame;
}

function finalize(site: WorldSite): FrameState {
  const { world } = pairWorld();
  return world.build(world.make(MEM_LIBFUNCS, "finalize_locals"), site).frame;
}

describe("store_temp", () => {
  test("accounts for ap moving with each stored cell", () => {
    const { world, pair } = pairWorld();
    const libfunc = world.make(MEM_LIBFUNCS, "store_temp", typeArg(pair));
    const args = [[deref(apCell(-3)), deref(apCell(-2))]];
    const { instructions, outputs } = world.build(libfunc, { args });
    expect(instructions.map(({ body }) => body)).toEqual([
      { kind: "assert_eq", a: apCell(0), b: deref(apCell(-3)) },
      { kind: "assert_eq", a: apCell(0), b: deref(apCell(-3)) },
    ]);
    expect(instructions.every(({ incAp }) => incAp)).toBeTrue();
    expect(outputs).toEqual([[[deref(apCell(-2)), deref(apCell(-1))]]]);
  });

  test("rejects a cell that gets out of reach", () => {
    const { world, pair } = pairWorld();
    const libfunc = world.make(MEM_LIBFUNCS, "store_temp", typeArg(pair));
    const args = [[immediate(1), deref(apCell(-(2 ** 15)))]];
    expect(() => world.build(libfunc, { args })).toThrow("out of reach");
  });

  test("rejects a type that is not storable", () => {
    const { world, hidden } = pairWorld();
    expect(() => world.make(MEM_LIBFUNCS, "store_temp", typeArg(hidden))).toThrow("can be stored");
    expect(() => world.make(MEM_LIBFUNCS, "store_local", typeArg(hidden))).toThrow("can be stored");
  });
});

describe("alloc_local and finalize_locals", () => {
  test("place the next local after the first", () => {
    const first = alloc({ apTracking: AT_START });
    expect(first).toEqual({ kind: "allocating", allocated: 2, first: 2 });
    expect(alloc({ apTracking: AT_START, frame: first })).toEqual({
      kind: "allocating",
      allocated: 4,
      first: 2,
    });
  });

  test("place the first local at ap", () => {
    const { world, pair } = pairWorld();
    const libfunc = world.make(MEM_LIBFUNCS, "alloc_local", typeArg(pair));
    const frame = { kind: "allocating", allocated: 3, first: 2 } as const;
    const { outputs } = world.build(libfunc, { apTracking: AT_START, frame });
    expect(outputs).toEqual([[[deref(fpCell(5)), deref(fpCell(6))]]]);
  });

  test("accept a frame without locals", () => {
    expect(finalize({ apTracking: AT_START })).toEqual({ kind: "finalized", allocated: 0 });
    const { world } = pairWorld();
    const libfunc = world.make(MEM_LIBFUNCS, "finalize_locals");
    expect(world.build(libfunc, { apTracking: AT_START }).instructions).toHaveLength(1);
  });

  const moved = { kind: "enabled", base: undefined, cells: 3 } as const;
  const elsewhere = { kind: "enabled", base: 4, cells: 2 } as const;
  const allocating = { kind: "allocating", allocated: 1, first: 2 } as const;
  const refused: readonly [string, WorldSite][] = [
    ["ap is unknown", { apTracking: { kind: "disabled" } }],
    ["ap is only known relative to another place", { apTracking: elsewhere }],
    ["ap has moved since the first local", { apTracking: moved, frame: allocating }],
    ["the frame is final", { apTracking: AT_START, frame: { kind: "finalized", allocated: 0 } }],
  ];
  test.each(refused)("are rejected if %s", (_, site) => {
    expect(() => alloc(site)).toThrow("alloc_local is not allowed");
    expect(() => finalize(site)).toThrow("finalize_locals is not allowed");
  });
});
