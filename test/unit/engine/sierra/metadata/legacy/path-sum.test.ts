import { describe, expect, test } from "bun:test";
import { Effort } from "#engine/sierra/metadata/legacy/effort.ts";
import {
  difference,
  EMPTY_PATH,
  extended,
  type PathOrder,
  type PathSum,
} from "#engine/sierra/metadata/legacy/path-sum.ts";

function path(...variables: readonly number[]): PathSum {
  return variables.reduce((sum, variable) => extended(sum, 1, variable), EMPTY_PATH);
}

function termsOf(left: PathSum, right: PathSum, order: PathOrder = "oldest first") {
  return [...difference(left, right, order, new Effort(1_000_000)).terms];
}

// Orders are those of the reference compiler's maps, where the last entry replaces a removed one.
describe("difference of two paths", () => {
  test("contains what only one of them has, and their length difference", () => {
    const found = difference(path(1, 2, 3), path(4), "oldest first", new Effort(1_000_000));
    expect(found.constant).toBe(2);
    expect([...found.terms]).toEqual([
      [1, 1],
      [2, 1],
      [3, 1],
      [4, -1],
    ]);
  });

  test("moves the last variable to the place of a shared one", () => {
    expect(termsOf(path(1, 2, 3), path(1))).toEqual([
      [3, 1],
      [2, 1],
    ]);
    expect(termsOf(path(1, 2, 3, 4), path(1, 2))).toEqual([
      [4, 1],
      [3, 1],
    ]);
  });

  test("counts a repeated variable at its first place", () => {
    expect(termsOf(path(1, 2, 1), path(2))).toEqual([[1, 2]]);
    expect(termsOf(path(1, 2, 1), EMPTY_PATH, "newest first")).toEqual([
      [1, 2],
      [2, 1],
    ]);
  });

  test("of equal variables is that of the constants", () => {
    const shared = path(1, 2);
    expect(difference(extended(shared, 7), shared, "oldest first", new Effort(0))).toEqual({
      constant: 7,
      terms: new Map(),
    });
  });

  test("is rejected for paths that are too long, and beyond 32 bits", () => {
    expect(() => difference(path(1, 2, 3), EMPTY_PATH, "oldest first", new Effort(2))).toThrow(
      "take too long",
    );
    expect(() => extended(extended(EMPTY_PATH, 2 ** 31 - 1), 1)).toThrow("does not fit in 32 bits");
  });
});
