import { describe, expect, test } from "bun:test";
import { entryPointBuiltins } from "#engine/sierra/contract/entry-signature.ts";
import type { GenericArgument, Program, TypeDeclaration } from "#engine/sierra/program/program.ts";

const user: GenericArgument = { kind: "user_type", id: "0x1" };
const of = (type: number): GenericArgument => ({ kind: "type", type });
const declared = (genericId: string, ...args: GenericArgument[]): TypeDeclaration => ({
  genericId,
  args,
  declared: undefined,
});

const NAMES = ["felt252", "Array", "Snapshot", "Span", "Unit", "Ok", "Panic", "Result"] as const;
const BUILTINS = ["Pedersen", "RangeCheck", "Bitwise", "MulMod", "GasBuiltin", "System", "u32"];

/**
 * Felts, their array, its snapshot, the span, both variants of a result; then builtins and
 * others.
 */
const TYPES: readonly TypeDeclaration[] = [
  declared("felt252"),
  declared("Array", of(0)),
  declared("Snapshot", of(1)),
  declared("Struct", user, of(2)),
  declared("Struct", user),
  declared("Struct", user, of(3)),
  declared("Struct", user, of(4), of(1)),
  declared("Enum", user, of(5), of(6)),
  ...BUILTINS.map((name) => declared(name)),
];

const id = (name: string): number => [...NAMES, ...BUILTINS].indexOf(name);

/** Builtins of a program's only function with these parameter and result types. */
function builtinsOf(
  params: readonly string[],
  returns: readonly string[],
  types: readonly TypeDeclaration[] = TYPES,
) {
  const signature = { params: params.map((name) => ({ variable: 0, type: id(name) })) };
  const declaration = { name: "f", ...signature, returns: returns.map(id), entry: 0 };
  const program: Program = { types, libfuncs: [], statements: [], functions: [declaration] };
  return entryPointBuiltins(program, 0);
}

/** Builtins of a signature with these builtins before gas and system. */
const withBuiltins = (...builtins: readonly string[]) => {
  const around = [...builtins, "GasBuiltin", "System"];
  return builtinsOf([...around, "Span"], [...around, "Result"]);
};

describe("entryPointBuiltins", () => {
  test("returns builtins by their names in compiled classes", () => {
    expect(withBuiltins()).toEqual([]);
    expect(withBuiltins("Pedersen", "RangeCheck", "MulMod")).toEqual([
      "pedersen",
      "range_check",
      "mul_mod",
    ]);
  });

  test.each([
    [["RangeCheck", "Pedersen"]],
    [["Pedersen", "Pedersen"]],
    [["Pedersen", "u32"]],
    [["GasBuiltin"]],
  ])("rejects the builtins or the order of %p", (builtins) => {
    expect(() => withBuiltins(...builtins)).toThrow(
      "its builtins are some of Pedersen, RangeCheck, Bitwise, EcOp, Poseidon, SegmentArena, RangeCheck96, AddMod, MulMod, in this order",
    );
  });
});

describe("entryPointBuiltins rejects a signature", () => {
  const AROUND = ["RangeCheck", "GasBuiltin", "System"];
  const SWAPPED = ["RangeCheck", "System", "GasBuiltin"];
  test.each([
    ["without parameters", [], [], "around one value"],
    ["that returns fewer builtins", [...AROUND, "Span"], ["System", "Result"], "around one value"],
    [
      "that returns other builtins",
      [...AROUND, "Span"],
      [...SWAPPED, "Result"],
      "around one value",
    ],
    ["without calldata", [...AROUND, "Array"], [...AROUND, "Result"], "last parameter is a span"],
    ["without a result", [...AROUND, "Span"], [...AROUND, "Span"], "last result is a span"],
    ["with gas last", [...SWAPPED, "Span"], [...SWAPPED, "Result"], "gas and system"],
    ["without gas", ["System", "Span"], ["System", "Result"], "gas and system"],
  ])("%s", (_, params, returns, expected) => {
    expect(() => builtinsOf(params, returns)).toThrow(expected);
  });

  test("of a missing function", () => {
    const program: Program = { types: TYPES, libfuncs: [], statements: [], functions: [] };
    expect(() => entryPointBuiltins(program, 3)).toThrow("function 3");
  });
});

describe("the result of an entry point", () => {
  const AROUND = ["GasBuiltin", "System"];
  const accepts = (at: number, type: TypeDeclaration): boolean => {
    const types = TYPES.map((each, i) => (i === at ? type : each));
    try {
      return builtinsOf([...AROUND, "Span"], [...AROUND, "Result"], types).length === 0;
    } catch {
      return false;
    }
  };

  test("may have an array of felts as its error", () => {
    expect(accepts(id("Result"), declared("Enum", user, of(5), of(1)))).toBe(true);
  });

  test.each([
    ["a third variant", "Result", declared("Enum", user, of(5), of(6), of(1))],
    ["no user type", "Result", declared("Enum", of(5), of(6))],
    ["a wrong first variant", "Result", declared("Enum", user, of(3), of(6))],
    ["two values", "Ok", declared("Struct", user, of(3), of(3))],
    ["a panic with members", "Unit", declared("Struct", user, of(0))],
    ["a panic without data", "Panic", declared("Struct", user, of(4))],
    ["data with other elements", "Panic", declared("Struct", user, of(4), of(2))],
    ["a span with other elements", "felt252", declared("u32")],
    ["a span without snapshot", "Span", declared("Struct", user, of(1))],
  ])("must not have %s", (_, name, type) => {
    expect(accepts(id(name), type)).toBe(false);
  });
});
