import { describe, expect, test } from "bun:test";
import { isHigher, parseNumber, raised } from "../../../scripts/version-lib/number.ts";

describe("parseNumber", () => {
  test("reads three numbers", () => {
    expect(parseNumber("0.7.0")).toEqual([0, 7, 0]);
    expect(parseNumber("10.20.30")).toEqual([10, 20, 30]);
  });

  test.each(["", "1.2", "1.2.3.4", "v1.2.3", "1.02.3", "1.2.3-rc", "1.2.-3", "1.2.3\n", " 1.2.3"])(
    "rejects %j",
    (text) => {
      expect(parseNumber(text)).toBeUndefined();
    },
  );
});

test("isHigher compares parts as numbers, the first difference decides", () => {
  const ascending = [
    [0, 0, 9],
    [0, 0, 10],
    [0, 7, 0],
    [0, 7, 1],
    [0, 10, 0],
    [1, 0, 0],
  ] as const;
  for (const [i, left] of ascending.entries()) {
    for (const [j, right] of ascending.entries()) {
      expect([left, right, isHigher(left, right)]).toEqual([left, right, i > j]);
    }
  }
});

test("raised resets the parts after the raised one", () => {
  expect(raised([1, 2, 3], "major")).toEqual([2, 0, 0]);
  expect(raised([1, 2, 3], "minor")).toEqual([1, 3, 0]);
  expect(raised([1, 2, 3], "patch")).toEqual([1, 2, 4]);
});
