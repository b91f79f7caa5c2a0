import { expect, test } from "bun:test";
import { compareFelts, compareNumbers, FIELD_PRIME } from "#base/primitives/index.ts";

test("compareFelts orders by value, also beyond safe integers", () => {
  const sorted = [0n, 1n, 2n ** 53n, 2n ** 53n + 1n, FIELD_PRIME - 1n];
  expect([...sorted].reverse().sort(compareFelts)).toEqual(sorted);
  expect(compareFelts(5n, 5n)).toBe(0);
});

test.each([
  [[0, 13, 1], [0, 13, 1], 0],
  [[0, 13, 1], [0, 13, 1, 1], -1],
  [[0, 13, 1], [0, 13, 1, 0], 0],
  [[0, 13, 10], [0, 13, 9], 1],
  [[1], [0, 99, 99], 1],
  [[], [0, 0], 0],
  [[], [0, 1], -1],
])("compareNumbers of %j and %j is %d", (left, right, sign) => {
  expect(Math.sign(compareNumbers(left, right))).toBe(sign);
  expect(Math.sign(compareNumbers(right, left))).toBe(sign === 0 ? 0 : -sign);
});
