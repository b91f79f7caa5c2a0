import { describe, expect, test } from "bun:test";
import { FIELD_PRIME } from "#base/primitives/index.ts";
import type { CellExpression } from "#engine/sierra/casm/cell-expression.ts";
import { deref, fpCell, immediate } from "#engine/sierra/casm/operand.ts";
import { CAST_LIBFUNCS } from "#engine/sierra/libfuncs/casts/family.ts";
import { typeArg } from "#engine/sierra/libfunc/arguments.ts";
import { felt } from "#test/helpers/sierra/casm-run.ts";
import { lyingHints } from "#test/helpers/sierra/honest-hints.ts";
import { IntegerWorld, isAccepted, isProof } from "#test/helpers/sierra/integer-world.ts";

const WIDE = 2n ** 128n;

const world = new IntegerWorld();
const make = (name: string, from: number, to: number) =>
  world.make(CAST_LIBFUNCS, name, typeArg(from), typeArg(to));

/** Smallest and largest value of a type. */
type Bounds = readonly [min: bigint, max: bigint];

const BOUNDS: readonly Bounds[] = [
  [0n, 255n],
  [0n, WIDE - 1n],
  [-128n, 127n],
  [-WIDE / 2n, WIDE / 2n - 1n],
  [0n, 0n],
  [-10n, -1n],
  [-10n, 0n],
  [5n, 300n],
  [-300n, 300n],
];

describe("downcast", () => {
  const pairs = BOUNDS.flatMap((from) => BOUNDS.map((to) => [from, to] as const)).filter(
    ([from, to]) => from[0] <= to[1] && to[0] <= from[1] && !(from === to && to[1] === WIDE - 1n),
  );

  test.each(pairs)("from %p to %p accepts the common values", (from, to) => {
    const libfunc = make("downcast", world.bounded(...from), world.bounded(...to));
    const edges = [...from, ...to, to[0] - 1n, to[1] + 1n, 0n, 1n, -1n];
    for (const value of edges) {
      if (value < from[0] || value > from[1]) continue;
      const run = world.checked(libfunc, [[value]]);
      const isIn = value >= to[0] && value <= to[1];
      expect(isProof(run)).toBe(true);
      if (run.rangeChecks.length === 0) {
        expect([isIn, run.target]).toEqual([true, undefined]);
        continue;
      }
      expect([run.target, run.outputs[1]]).toEqual(
        isIn ? [undefined, [felt(value)]] : [101, undefined],
      );
      expect(isAccepted(() => world.checked(libfunc, [[value]], lyingHints))).toBe(false);
    }
  });

  test.each(BOUNDS)(
    "from felts to %p..%p accepts the values in range, also negative ones",
    (min, max) => {
      if (max - min + 1n >= FIELD_PRIME % (WIDE - 1n)) return;
      const libfunc = make("downcast", world.find("felt252"), world.bounded(min, max));
      for (const value of [min, max, min - 1n, max + 1n, 0n, 1n, FIELD_PRIME / 2n, WIDE]) {
        const run = world.checked(libfunc, [[value]]);
        expect(isProof(run)).toBe(true);
        expect(run.target).toBe(value >= min && value <= max ? undefined : 101);
        expect(isAccepted(() => world.checked(libfunc, [[value]], lyingHints))).toBe(false);
      }
    },
  );

  test("checks an unsigned type against itself, but not a signed one", () => {
    const [u8, i8] = [world.find("u8"), world.find("i8")];
    expect(world.checked(make("downcast", u8, u8), [[255n]]).rangeChecks).toHaveLength(1);
    expect(world.checked(make("downcast", i8, i8), [[127n]]).rangeChecks).toHaveLength(0);
  });

  test("requires stored cells for both the range check and the value", () => {
    const libfunc = make("downcast", world.find("i8"), world.find("i8"));
    const cell = deref(fpCell(-3));
    const unboxed = { kind: "double_deref", cell: fpCell(-3), offset: 0 } as const;
    const build = (...cells: CellExpression[]) =>
      world.build(libfunc, { args: cells.map((each) => [each]) });
    expect(build(cell, cell).instructions).toEqual([]);
    for (const cells of [
      [unboxed, cell],
      [cell, unboxed],
      [cell, immediate(5)],
    ]) {
      expect(() => build(...cells)).toThrow("store it first");
    }
  });

  test.each([
    ["u128 to u128", [0n, WIDE - 1n], [0n, WIDE - 1n]],
    ["a range that crosses 2^128 at the top", [5n, WIDE], [0n, WIDE - 1n]],
    ["a range that crosses 2^128 at the bottom", [WIDE - 5n, WIDE + 5n], [WIDE, WIDE + 5n]],
    ["a range that crosses 2^128 at both ends", [5n, WIDE], [6n, WIDE - 1n]],
  ] as const)("rejects building code for %s", (_, [min, max], [low, high]) => {
    const libfunc = make("downcast", world.bounded(min, max), world.bounded(low, high));
    expect(() => world.checked(libfunc, [[WIDE - 1n]])).toThrow("a bound of 2^128");
  });

  test("rejects types without common values, and those that are too wide", () => {
    const small = world.bounded(0n, 9n);
    const felts = world.find("felt252");
    expect(() => make("downcast", small, world.bounded(10n, 20n))).toThrow("values in common");
    expect(() => make("downcast", world.bounded(0n, WIDE), small)).toThrow("a source of at most");
    expect(() => make("downcast", felts, world.find("u128"))).toThrow("a source of at most");
    expect(() => make("downcast", felts, world.find("bytes31"))).toThrow("a target of at most");
    expect(() => make("downcast", felts, world.find("RangeCheck"))).toThrow("a type of integers");
    expect(() => make("downcast", world.bounded(0n, WIDE - 1n), small)).not.toThrow();
  });

  test("rejects casts from felts to types that are too large", () => {
    const limit = FIELD_PRIME % (WIDE - 1n);
    const felts = world.find("felt252");
    expect(() => make("downcast", felts, world.bounded(0n, limit - 2n))).not.toThrow();
    expect(() => make("downcast", felts, world.bounded(0n, limit - 1n))).toThrow("felts");
  });
});

describe("upcast", () => {
  test("keeps the cell", () => {
    const libfunc = make("upcast", world.find("u8"), world.find("i16"));
    expect(world.run(libfunc, [[200n]]).outputs).toEqual([[200n]]);
  });

  test("rejects a target type that lacks a value", () => {
    const refusal = "every value of the first one";
    expect(() => make("upcast", world.find("u8"), world.find("i8"))).toThrow(refusal);
    expect(() => make("upcast", world.find("i8"), world.find("u128"))).toThrow(refusal);
    expect(() => make("upcast", world.find("felt252"), world.find("bytes31"))).toThrow(refusal);
    expect(() => make("upcast", world.find("bytes31"), world.find("felt252"))).not.toThrow();
  });

  test("requires two types", () => {
    expect(() => world.make(CAST_LIBFUNCS, "upcast", typeArg(world.find("u8")))).toThrow(
      "two types",
    );
  });
});
