import { expect, test } from "bun:test";
import { differ, DifferenceFound, requireSame } from "#services/replay/difference.ts";

function found(ours: string | bigint, theirs: string | bigint) {
  try {
    return differ("field", ours, theirs);
  } catch (error) {
    if (!(error instanceof DifferenceFound)) throw error;
    return error.difference;
  }
}

test("shows felts as hex and texts unchanged", () => {
  expect(found(255n, "nothing")).toEqual({ field: "field", ours: "0xff", theirs: "nothing" });
});

test("shows long texts around their first difference", () => {
  const { ours, theirs } = found("a".repeat(5000) + "b", "a".repeat(5000) + "c".repeat(5000));
  expect(ours).toEndWith("aaab");
  expect(theirs).toContain("aaac");
  expect(theirs).toEndWith("...");
  expect(Math.max(ours.length, theirs.length)).toBeLessThan(310);
});

test("is absent for equal values", () => {
  expect(() => requireSame("field", 1n, 1n)).not.toThrow();
  expect(() => requireSame("field", 1, 2)).toThrow(DifferenceFound);
});
