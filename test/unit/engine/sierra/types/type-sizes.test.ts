import { describe, expect, test } from "bun:test";
import { concreteTypes } from "#engine/sierra/types/concrete-types.ts";
import { typeSizes, UNSIZED } from "#engine/sierra/types/type-sizes.ts";
import { type Declared, declarations, infoOf } from "../../../../helpers/sierra/declarations.ts";

function sizesOf(named: Readonly<Record<string, Declared>>): Record<string, number | undefined> {
  const sizes = typeSizes(concreteTypes(declarations(named)));
  return Object.fromEntries(Object.keys(named).map((name, index) => [name, sizes[index]]));
}

describe("typeSizes", () => {
  test("counts the cells of values", () => {
    expect(
      sizesOf({
        felt: ["felt252"],
        unit: ["Struct", "ut@Tuple"],
        array: ["Array", "felt"],
        span: ["Span", "felt"],
        point: ["EcPoint"],
        state: ["EcState"],
        box: ["Box", "state"],
        nonZeroPoint: ["NonZero", "point"],
        snapshot: ["Snapshot", "array"],
        uninitialized: ["Uninitialized", "state"],
        squashed: ["SquashedFelt252Dict", "felt"],
        u8: ["u8"],
        range: ["IntRange", "u8"],
        guarantee: ["U128MulGuarantee"],
        coupon: ["Coupon", "fn@0"],
        struct: ["Struct", "ut@S", "felt", "array", "state", "unit"],
        enum: ["Enum", "ut@E", "felt", "state", "unit"],
        never: ["Enum", "ut@N"],
      }),
    ).toEqual({
      felt: 1,
      unit: 0,
      array: 2,
      span: 2,
      point: 2,
      state: 3,
      box: 1,
      nonZeroPoint: 2,
      snapshot: 2,
      uninitialized: 3,
      squashed: 2,
      u8: 1,
      range: 2,
      guarantee: 4,
      coupon: 0,
      struct: 6,
      enum: 4,
      never: 1,
    });
  });

  test("counts the cells of circuit types", () => {
    expect(
      sizesOf({
        input: ["CircuitInput", 0n],
        gate: ["AddModGate", "input", "input"],
        outputs: ["Struct", "ut@Tuple", "gate"],
        circuit: ["Circuit", "outputs"],
        accumulator: ["CircuitInputAccumulator", "circuit"],
        data: ["CircuitData", "circuit"],
        descriptor: ["CircuitDescriptor", "circuit"],
        results: ["CircuitOutputs", "circuit"],
        partial: ["CircuitPartialOutputs", "circuit"],
        modulus: ["CircuitModulus"],
        failure: ["CircuitFailureGuarantee"],
        limbs: ["U96LimbsLtGuarantee", 4n],
        limb: ["U96Guarantee"],
      }),
    ).toEqual({
      input: UNSIZED,
      gate: UNSIZED,
      outputs: UNSIZED,
      circuit: UNSIZED,
      accumulator: 2,
      data: 1,
      descriptor: 4,
      results: 5,
      partial: 6,
      modulus: 4,
      failure: 8,
      limbs: 8,
      limb: 1,
    });
  });

  test("has no size for a constant", () => {
    expect(sizesOf({ felt: ["felt252"], five: ["Const", "felt", 5n] })).toEqual({
      felt: 1,
      five: UNSIZED,
    });
  });
});

describe("typeSizes is limited to 32767", () => {
  /** `size0` is one cell, and each further type twice the previous one. */
  function doubling(count: number): Record<string, Declared> {
    const named: Record<string, Declared> = { size0: ["felt252"] };
    for (let index = 1; index <= count; index++) {
      const part = `size${index - 1}`;
      named[`size${index}`] = ["Struct", `ut@S${index}`, part, part];
    }
    return named;
  }

  test("for structs", () => {
    const parts = Array.from({ length: 15 }, (_, index) => `size${index}`);
    const largest: Declared = ["Struct", "ut@Largest", ...parts];
    expect(sizesOf({ ...doubling(14), largest })["largest"]).toBe(32_767);
    expect(() => sizesOf(doubling(15))).toThrow("type #15 (Struct): its values are too large");
  });

  test("for enums, which add one cell to the largest variant", () => {
    const parts = Array.from({ length: 15 }, (_, index) => `size${index}`);
    const named: Record<string, Declared> = {
      ...doubling(14),
      less: ["Struct", "ut@Less", ...parts.slice(1)],
      enum: ["Enum", "ut@E", "less"],
    };
    expect(sizesOf(named)["enum"]).toBe(32_767);
    const more: Declared = ["Struct", "ut@More", ...parts];
    expect(() => sizesOf({ ...doubling(14), more, enum: ["Enum", "ut@E", "more"] })).toThrow(
      "type #16 (Enum): its values are too large",
    );
  });

  test("for limbs, which count twice", () => {
    expect(sizesOf({ limbs: ["U96LimbsLtGuarantee", 16_383n] })["limbs"]).toBe(32_766);
    expect(() => sizesOf({ limbs: ["U96LimbsLtGuarantee", 16_384n] })).toThrow("too large");
  });
});

test("typeSizes rejects a type that contains later ones or itself", () => {
  const itself: Readonly<Record<string, Declared>> = { itself: ["Struct", "ut@S", "itself"] };
  const types = concreteTypes(declarations(itself, { itself: infoOf("sdcz") }));
  expect(() => typeSizes(types)).toThrow("type #0 (Struct): the size of type #0 is not known");
});
