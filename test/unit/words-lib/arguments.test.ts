import { describe, expect, test } from "bun:test";
import { parseWordsArguments } from "../../../scripts/words-lib/arguments.ts";

describe("parseWordsArguments", () => {
  test.each([
    [[], { kind: "check" }],
    [["--shrink"], { kind: "shrink" }],
    [["--adopt"], { kind: "adopt" }],
    [["src/io", "README.md"], { kind: "list", paths: ["src/io", "README.md"] }],
  ] as const)("reads %j", (words, expected) => {
    expect(parseWordsArguments(words)).toEqual(expected);
  });

  test.each([[["--other"]], [["--shrink", "src"]], [["src", "--adopt"]]] as const)(
    "rejects %j",
    (words) => {
      expect(parseWordsArguments(words)).toBeUndefined();
    },
  );
});
