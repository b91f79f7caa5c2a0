import { describe, expect, test } from "bun:test";
import { PARTS, parseTestArguments } from "../../../scripts/test-lib/arguments.ts";

describe("arguments of scripts/test", () => {
  test("without any run all parts", () => {
    expect(parseTestArguments([])).toEqual({ kind: "parts", parts: PARTS, mode: "quick" });
  });

  test("name parts", () => {
    expect(parseTestArguments(["e2e", "unit"])).toEqual({
      kind: "parts",
      parts: ["e2e", "unit"],
      mode: "quick",
    });
  });

  test.each([
    ["--full", "full"],
    ["--ci", "ci"],
  ] as const)("%s runs all parts and what is exhaustive", (word, mode) => {
    expect(parseTestArguments([word])).toEqual({ kind: "parts", parts: PARTS, mode });
  });

  test("--changed compares with the newest commit, or with the one that follows", () => {
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
  ])("%p are refused", (words) => {
    expect(parseTestArguments(words)).toBeUndefined();
  });
});
