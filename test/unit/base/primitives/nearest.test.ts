import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { editDistance, nearest } from "#base/primitives/index.ts";
import { assertProperty } from "#test/helpers/property.ts";

const word = fc.string({ unit: fc.constantFrom("a", "b", "_"), maxLength: 8 });

describe("editDistance and nearest", () => {
  test("count single edits and swaps of neighbours", () => {
    expect(editDistance("preset", "prset")).toBe(1);
    expect(editDistance("preset", "prestes")).toBe(2);
    expect(editDistance("port", "prot")).toBe(1);
    expect(editDistance("port", "oprt")).toBe(1);
    expect(editDistance("", "abc")).toBe(3);
  });

  test("the distance is symmetric, and zero only for equal texts", () => {
    assertProperty(
      fc.property(word, word, (a, b) => {
        expect(editDistance(a, b) === 0).toBe(a === b);
        expect(editDistance(a, b)).toBe(editDistance(b, a));
      }),
    );
  });

  test("suggest the closest name", () => {
    expect(nearest("blok_time", ["chain_name", "block_time", "chain_id"])).toBe("block_time");
  });

  test("suggest nothing for a different word", () => {
    expect(nearest("xyz", ["block_time", "chain_id"])).toBeUndefined();
  });
});
