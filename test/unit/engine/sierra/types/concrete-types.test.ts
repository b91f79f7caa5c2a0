import { describe, expect, test } from "bun:test";
import { concreteTypes } from "#engine/sierra/types/concrete-types.ts";
import { type Declared, declarations, infoOf } from "../../../../helpers/sierra/declarations.ts";

/** Types that others consist of, by what may be done with their values. */
const PARTS: Readonly<Record<string, Declared>> = {
  felt: ["felt252"],
  gas: ["GasBuiltin"],
  unit: ["Struct", "ut@Tuple"],
  uninitialized: ["Uninitialized", "felt"],
  array: ["Array", "felt"],
  u8: ["u8"],
  nullable: ["Nullable", "felt"],
  nullableGas: ["Nullable", "gas"],
  flag: ["Enum", "ut@core::bool", "unit", "unit"],
  three: ["Enum", "ut@Three", "unit", "unit", "unit"],
  filled: ["Enum", "ut@Filled", "unit", "felt"],
  bounded: ["BoundedInt", -3n, 3n],
  input: ["CircuitInput", 0n],
  outputs: ["Struct", "ut@Tuple", "input"],
  circuit: ["Circuit", "outputs"],
};

function made(declared: Declared) {
  const types = concreteTypes(declarations({ ...PARTS, made: declared }));
  return types.at(-1);
}

describe("info of a concrete type", () => {
  test.each<[string, Declared]>([
    ["sdc", ["bytes31"]],
    ["s", ["RangeCheck"]],
    ["sd", ["GasReserve"]],
    ["sdc", ["i128"]],
    ["sd", ["Array", "u8"]],
    ["s", ["Array", "gas"]],
    ["sdc", ["Span", "felt"]],
    ["sd", ["Span", "array"]],
    ["sd", ["SquashedFelt252Dict", "felt"]],
    ["sdc", ["Box", "unit"]],
    ["sd", ["Box", "array"]],
    ["s", ["Nullable", "gas"]],
    ["sdcz", ["NonZero", "unit"]],
    ["dz", ["Uninitialized", "unit"]],
    ["d", ["Uninitialized", "gas"]],
    ["sdc", ["Snapshot", "array"]],
    ["sdc", ["Snapshot", "gas"]],
    ["sdc", ["IntRange", "u8"]],
    ["sdc", ["IntRange", "bounded"]],
    ["s", ["Felt252Dict", "u8"]],
    ["s", ["Felt252DictEntry", "felt"]],
    ["s", ["Felt252Dict", "nullable"]],
    ["s", ["Felt252Dict", "flag"]],
    ["sdcz", ["Struct", "ut@A", "unit", "unit"]],
    ["sd", ["Struct", "ut@A", "felt", "array"]],
    ["d", ["Struct", "ut@A", "felt", "uninitialized"]],
    ["s", ["Struct", "ut@A", "unit", "gas"]],
    ["sdc", ["Enum", "ut@A", "unit"]],
    ["sd", ["Enum", "ut@A", "array"]],
    ["s", ["Enum", "ut@A", "felt", "gas"]],
    ["sdc", ["Enum", "ut@Never"]],
    ["sdz", ["Coupon", "fn@0"]],
    ["sdc", ["BoundedInt", 0n, 0n]],
    ["s", ["BoundedIntGuarantee", 0n, 4294967295n]],
    ["", ["Const", "felt", 5n]],
    ["z", ["CircuitInput", 7n]],
    ["z", ["AddModGate", "input", "input"]],
    ["z", ["InverseGate", "input"]],
    ["z", ["Circuit", "outputs"]],
    ["sd", ["CircuitInputAccumulator", "circuit"]],
    ["sd", ["CircuitData", "circuit"]],
    ["sdc", ["CircuitOutputs", "circuit"]],
    ["sd", ["CircuitPartialOutputs", "circuit"]],
    ["sdc", ["CircuitDescriptor", "circuit"]],
    ["s", ["U96LimbsLtGuarantee", 1n]],
    ["s", ["U96Guarantee"]],
  ])("%s for %p", (marks, declared) => {
    // Only the registry rejects a type that duplicates one of the parts.
    expect(made(declared)?.info).toEqual(infoOf(marks));
  });
});

describe("concreteTypes rejects", () => {
  test.each<[string, Declared]>([
    ["an unknown generic id", ["Vector", "felt"]],
    ["a name of the host language", ["constructor"]],
    ["arguments where none are taken", ["felt252", "felt"]],
    ["arguments of an integer", ["u8", 1n]],
    ["no argument", ["Box"]],
    ["two arguments", ["Box", "felt", "felt"]],
    ["a number as a type", ["Box", 1n]],
    ["a missing type", ["Box", "missing"]],
    ["a box of a type that is not storable", ["Box", "uninitialized"]],
    ["an array of a zero-sized type", ["Array", "unit"]],
    ["a span of a zero-sized type", ["Span", "unit"]],
    ["a squashed dictionary of a zero-sized type", ["SquashedFelt252Dict", "unit"]],
    ["a snapshot of a duplicatable type", ["Snapshot", "felt"]],
    ["a non-zero type that is not storable", ["NonZero", "uninitialized"]],
    ["a range of felts", ["IntRange", "felt"]],
    ["a dictionary of boxes", ["Felt252Dict", "array"]],
    ["a dictionary of a type that is not droppable", ["Felt252Dict", "nullableGas"]],
    ["a dictionary of signed numbers", ["Felt252Dict", "bounded"]],
    ["a dictionary of an enum without a zero", ["Felt252Dict", "three"]],
    ["a dictionary of an enum with data", ["Felt252Dict", "filled"]],
    ["a struct without a user type", ["Struct", "felt"]],
    ["a number in a struct", ["Struct", "ut@A", 1n]],
    ["an enum of a type that is not storable", ["Enum", "ut@A", "uninitialized"]],
    ["a coupon of a type", ["Coupon", "felt"]],
    ["bounds in the wrong order", ["BoundedInt", 1n, 0n]],
    ["one bound", ["BoundedInt", 1n]],
    ["a guarantee of other than 32 bits", ["BoundedIntGuarantee", 0n, 4294967294n]],
    ["a negative input", ["CircuitInput", -1n]],
    ["an input beyond a word", ["CircuitInput", 1n << 64n]],
    ["a gate of a felt", ["AddModGate", "input", "felt"]],
    ["a gate of one operand", ["MulModGate", "input"]],
    ["an inverse of two", ["InverseGate", "input", "input"]],
    ["a circuit without a tuple", ["Circuit", "input"]],
    ["data of a type that is not a circuit", ["CircuitData", "outputs"]],
    ["a guarantee of no limbs", ["U96LimbsLtGuarantee", 0n]],
  ])("%s", (_, declared) => {
    expect(() => made(declared)).toThrow(
      expect.objectContaining({ code: "SIERRA_SPECIALIZATION" }),
    );
  });
});

describe("BoundedInt is valid", () => {
  const P = (1n << 251n) + 17n * (1n << 192n) + 1n;

  test.each<[boolean, bigint, bigint]>([
    [true, 0n, P - 1n],
    [true, 1n - P, 0n],
    [true, -1n, P - 2n],
    [false, 0n, P],
    [false, -P, -1n],
    [false, -1n, P - 1n],
  ])("%p for bounds %p and %p", (good, lowest, highest) => {
    const make = () => made(["BoundedInt", lowest, highest])?.data;
    if (good) {
      expect(make()).toEqual({
        kind: "integer",
        range: { lower: lowest, upper: highest + 1n },
      });
    } else expect(make).toThrow("two numbers in order");
  });
});

describe("concreteTypes with forward references", () => {
  const LIST: Readonly<Record<string, Declared>> = {
    list: ["Enum", "ut@List", "unit", "box"],
    unit: ["Struct", "ut@Tuple"],
    box: ["Box", "list"],
  };

  test("uses later types whose info is declared", () => {
    const stated = { unit: infoOf("sdcz"), box: infoOf("sdc") };
    const [list] = concreteTypes(declarations(LIST, stated));
    expect(list).toMatchObject({ info: infoOf("sdc"), data: { kind: "enum", variants: [1, 2] } });
  });

  test("rejects later types whose info is not declared", () => {
    const stated = { unit: infoOf("sdcz") };
    expect(() => concreteTypes(declarations(LIST, stated))).toThrow(
      "type #2 is not declared before",
    );
  });

  test("rejects declared info that is wrong", () => {
    const stated = { unit: infoOf("sdcz"), box: infoOf("sdcz") };
    expect(() => concreteTypes(declarations(LIST, stated))).toThrow(
      "type #2 (Box): its info differs from the declared one",
    );
  });

  test.each(["dcz", "scz", "sdz", "sdc"])("compares each flag: %s for a unit", (marks) => {
    const types = declarations({ unit: ["Struct", "ut@Tuple"] }, { unit: infoOf(marks) });
    expect(() => concreteTypes(types)).toThrow(expect.objectContaining({ code: "SIERRA_INVALID" }));
  });
});

test("concrete types describe their structure", () => {
  expect(made(["Struct", "ut@A", "felt", "gas"])?.data).toEqual({
    kind: "struct",
    members: [0, 1],
  });
  expect(made(["Box", "gas"])?.data).toEqual({ kind: "wrapper", inner: 1 });
  expect(made(["Coupon", "fn@7"])?.data).toEqual({ kind: "coupon", function: 7 });
  expect(made(["i8"])?.data).toEqual({ kind: "integer", range: { lower: -128n, upper: 128n } });
});
