import { describe, expect, test } from "bun:test";
import { divide, SLICES, sliceOf } from "../../../scripts/test-lib/exhaustive/slices.ts";

const checks = Array.from({ length: 37 }, (_, i) => ({
  name: `check ${i}`,
  seconds: 1 + ((i * 7) % 30),
}));

describe("divide and sliceOf", () => {
  test("contain each check once", () => {
    const names = divide(checks).flatMap((slice) => slice.map(({ name }) => name));
    expect(names.toSorted()).toEqual(checks.map(({ name }) => name).toSorted());
  });

  test("do not depend on the order of the checks", () => {
    expect(divide(checks.toReversed())).toEqual(divide(checks));
  });

  test("make slices of similar duration", () => {
    const sums = divide(checks).map((slice) =>
      slice.reduce((sum, { seconds }) => sum + seconds, 0),
    );
    expect(sums).toHaveLength(SLICES);
    expect(Math.max(...sums) - Math.min(...sums)).toBeLessThanOrEqual(30);
  });

  test("select all slices over time, by the hash of a commit alone", () => {
    const hashes = Array.from({ length: 200 }, (_, i) =>
      new Bun.CryptoHasher("sha1").update(String(i)).digest("hex"),
    );
    const found = hashes.map(sliceOf);
    expect(new Set(found).size).toBe(SLICES);
    expect(hashes.map(sliceOf)).toEqual(found);
  });
});
