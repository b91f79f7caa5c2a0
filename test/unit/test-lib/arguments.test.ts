import { describe, expect, test } from "bun:test";
import { PARTS, parseTestArguments } from "../../../scripts/test-lib/arguments.ts";

describe("parseTestArguments", () => {
  test("runs all parts by default", () => {
    expect(parseTestArguments([])).toEqual({ kind: "parts", parts: PARTS, mode: "quick" });
  });

  test("selects parts by name", () => {
    expect(parseTestArguments(["e2e", "unit"])).toEqual({
      kind: "parts",
      parts: ["e2e", "unit"],
      mode: "quick",
    });
  });

  test.each([
    ["--full", "full"],
    ["--ci", "ci"],
  ] as const)("%s runs all parts and the exhaustive checks", (word, mode) => {
    expect(parseTestArguments([word])).toEqual({ kind: "parts", parts: PARTS, mode });
  });

  test("--changed compares with the newest commit or the given one", () => {
    expect(parseTestArguments(["--changed"])).toEqual({ kind: "changed", base: "HEAD" });
    expect(parseTestArguments(["--changed", "main~3"])).toEqual({
      kind: "changed",
      base: "main~3",
    });
  });

  test.each([
    [["units"]],
    [["unit", "--full"]],
    [["--full", "unit"]],
    [["--ci", "--full"]],
    [["--changed", "a", "b"]],
    [["--changed", "--full"]],
  ])("rejects %p", (words) => {
    expect(parseTestArguments(words)).toBeUndefined();
  });
});
