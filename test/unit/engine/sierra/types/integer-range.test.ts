import { expect, test } from "bun:test";
import { inRange, rangeOf, rangeSize } from "#engine/sierra/types/integer-range.ts";

const P = (1n << 251n) + 17n * (1n << 192n) + 1n;

test.each([
  ["u8", 0n, 256n],
  ["u128", 0n, 1n << 128n],
  ["i16", -32_768n, 32_768n],
  ["i128", -(1n << 127n), 1n << 127n],
  ["bytes31", 0n, 1n << 248n],
  ["felt252", 1n - P, P],
])("rangeOf and inRange of %s", (genericId, lower, upper) => {
  const range = rangeOf({ genericId, args: [] });
  expect(range).toEqual({ lower, upper });
  expect(rangeSize(range)).toBe(upper - lower);
  expect([lower - 1n, lower, upper - 1n, upper].map((value) => inRange(value, range))).toEqual([
    false,
    true,
    true,
    false,
  ]);
});

test("rangeOf a BoundedInt follows its arguments", () => {
  const args = [-3n, 7n].map((value) => ({ kind: "value", value }) as const);
  expect(rangeOf({ genericId: "BoundedInt", args })).toEqual({ lower: -3n, upper: 8n });
});

test.each(["ContractAddress", "Box", "BoundedInt"])("rangeOf rejects %s", (genericId) => {
  expect(() => rangeOf({ genericId, args: [] })).toThrow(`${genericId} is not a type of integers`);
});
