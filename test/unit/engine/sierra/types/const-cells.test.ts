import { describe, expect, test } from "bun:test";
import { concreteTypes } from "#engine/sierra/types/concrete-types.ts";
import { constCells, cachedConstCells } from "#engine/sierra/types/const-cells.ts";
import { typeSizes } from "#engine/sierra/types/type-sizes.ts";
import type { TypeInfo } from "#engine/sierra/program/program.ts";
import { type Declared, declarations, infoOf } from "../../../../helpers/sierra/declarations.ts";

/** Cells of the last type, a constant. */
function cellsOf(
  named: Readonly<Record<string, Declared>>,
  stated: Readonly<Record<string, TypeInfo>> = {},
): bigint[] {
  const types = concreteTypes(declarations(named, stated));
  return constCells(types, typeSizes(types), types.length - 1);
}

const PARTS: Readonly<Record<string, Declared>> = {
  felt: ["felt252"],
  unit: ["Struct", "ut@Tuple"],
  pair: ["Struct", "ut@Tuple", "felt", "felt"],
  one: ["Const", "felt", 1n],
  minus: ["Const", "felt", -2n],
  nothing: ["Const", "unit"],
  both: ["Const", "pair", "minus", "one"],
};

describe("constCells", () => {
  test("keeps a number as declared", () => {
    expect(cellsOf({ felt: ["felt252"], five: ["Const", "felt", -5n] })).toEqual([-5n]);
  });

  test("lists the members of a struct in order", () => {
    expect(cellsOf({ ...PARTS, again: ["Const", "pair", "one", "one"] })).toEqual([1n, 1n]);
    const outer: Declared = ["Struct", "ut@O", "felt", "pair", "unit", "pair"];
    const value: Declared = ["Const", "outer", "one", "both", "nothing", "both"];
    expect(cellsOf({ ...PARTS, outer, value })).toEqual([1n, -2n, 1n, -2n, 1n]);
  });

  test.each<[string, bigint, string, bigint[]]>([
    ["felt", 0n, "one", [0n, 0n, 1n]],
    ["pair", 1n, "both", [1n, -2n, 1n]],
  ])("writes an enum of two variants as index, zeros, %s", (_, variant, part, expected) => {
    const choice: Declared = ["Enum", "ut@E", "felt", "pair"];
    expect(cellsOf({ ...PARTS, choice, value: ["Const", "choice", variant, part] })).toEqual(
      expected,
    );
  });

  test.each<[bigint, string, bigint[]]>([
    [0n, "nothing", [5n, 0n, 0n]],
    [1n, "one", [3n, 0n, 1n]],
    [2n, "both", [1n, -2n, 1n]],
  ])("starts variant %p of an enum of three with its jump distance", (at, part, expected) => {
    const choice: Declared = ["Enum", "ut@E", "unit", "felt", "pair"];
    expect(cellsOf({ ...PARTS, choice, value: ["Const", "choice", at, part] })).toEqual(expected);
  });

  test("writes a non-zero value like the inner one", () => {
    const nonZero: Declared = ["NonZero", "felt"];
    expect(cellsOf({ ...PARTS, nonZero, value: ["Const", "nonZero", "one"] })).toEqual([1n]);
  });

  test("writes a point as x and y", () => {
    expect(cellsOf({ point: ["EcPoint"], value: ["Const", "point", 0n, 0n] })).toEqual([0n, 0n]);
  });
});

describe("constCells with hostile constants", () => {
  test("rejects a type that is not a constant", () => {
    expect(() => cellsOf({ felt: ["felt252"] })).toThrow(
      "the constant of type #0 is not a constant",
    );
  });

  test("rejects a constant that contains itself", () => {
    const named: Readonly<Record<string, Declared>> = {
      box: ["Struct", "ut@B", "box"],
      value: ["Const", "box", "value"],
    };
    // Such a struct is not storable and never sized.
    const stated = { box: infoOf("dcz"), value: infoOf("") };
    expect(() => cellsOf(named, stated)).toThrow("the constant of type #1 contains itself");
  });

  test("handles 2^40 zero-sized values and a nesting depth of 10,000", () => {
    const named: Record<string, Declared> = {
      felt: ["felt252"],
      t0: ["Struct", "ut@Tuple"],
      v0: ["Const", "t0"],
      d0: ["Struct", "ut@D", "felt"],
      one: ["Const", "felt", 1n],
      w0: ["Const", "d0", "one"],
    };
    for (let index = 1; index <= 40; index++) {
      named[`t${index}`] = ["Struct", "ut@T", `t${index - 1}`, `t${index - 1}`];
      named[`v${index}`] = ["Const", `t${index}`, `v${index - 1}`, `v${index - 1}`];
    }
    for (let index = 1; index <= 10_000; index++) {
      named[`d${index}`] = ["Struct", "ut@D", `d${index - 1}`];
      named[`w${index}`] = ["Const", `d${index}`, `w${index - 1}`];
    }
    named["both"] = ["Struct", "ut@Both", "t40", "d10000", "d10000"];
    named["value"] = ["Const", "both", "v40", "w10000", "w10000"];
    expect(cellsOf(named)).toEqual([1n, 1n]);
  });
});

test("cachedConstCells evicts cells above its limit and recomputes them equally", () => {
  const named: Record<string, Declared> = { felt: ["felt252"], five: ["Const", "felt", 5n] };
  const count = 16_384;
  named["wide"] = ["Struct", "ut@Wide", ...Array<string>(count).fill("felt")];
  for (let index = 0; index < 17; index++) {
    named[`value${index}`] = ["Const", "wide", ...Array<string>(count).fill("five")];
  }
  const types = concreteTypes(declarations(named));
  const cellsOf = cachedConstCells(types, typeSizes(types));
  const first = cellsOf(1);
  expect(cellsOf(1)).toBe(first);
  for (let index = 0; index < 17; index++) expect(cellsOf(3 + index)).toHaveLength(count);
  expect(cellsOf(1)).not.toBe(first);
  expect(cellsOf(1)).toEqual([5n]);
});
