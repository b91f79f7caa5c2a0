import { describe, expect, test } from "bun:test";
import { parseVersionArguments } from "../../../scripts/version-lib/arguments.ts";

describe("parseVersionArguments", () => {
  test.each([
    [[], { kind: "show" }],
    [["--check"], { kind: "check" }],
    [["--major"], { kind: "raise", step: "major" }],
    [["--minor"], { kind: "raise", step: "minor" }],
    [["--patch"], { kind: "raise", step: "patch" }],
    [["0.8.0"], { kind: "set", number: [0, 8, 0] }],
  ] as const)("reads %j", (words, expected) => {
    expect(parseVersionArguments(words)).toEqual(expected);
  });

  test.each([[["--other"]], [["0.8"]], [["v0.8.0"]], [["0.8.0", "--check"]], [["--check", "x"]]])(
    "rejects %j",
    (words) => {
      expect(parseVersionArguments(words)).toBeUndefined();
    },
  );
});
