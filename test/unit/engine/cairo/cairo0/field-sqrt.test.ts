import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { fieldSqrt } from "#engine/cairo/cairo0/field-sqrt.ts";
import { integerSqrt } from "#engine/cairo/cairo0/integer-hints.ts";
import { FIELD_PRIME } from "#base/primitives/index.ts";
import { assertProperty } from "#test/helpers/property.ts";

const felt = fc.bigInt({ min: 0n, max: FIELD_PRIME - 1n });

describe("hint square roots", () => {
  test("fieldSqrt returns the smaller root of a square", () => {
    assertProperty(
      fc.property(felt, (value) => {
        const other = value === 0n ? 0n : FIELD_PRIME - value;
        expect(fieldSqrt((value * value) % FIELD_PRIME)).toBe(value < other ? value : other);
      }),
      { numRuns: 20 },
    );
  });

  test("fieldSqrt returns undefined for a non-square", () => {
    expect(fieldSqrt(3n)).toBeUndefined();
    expect(fieldSqrt(12n)).toBeUndefined();
  });

  test("integerSqrt rounds down", () => {
    assertProperty(
      fc.property(felt, (value) => {
        const root = integerSqrt(value);
        expect(root * root <= value && (root + 1n) * (root + 1n) > value).toBe(true);
      }),
    );
  });
});
