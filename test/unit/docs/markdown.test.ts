import { describe, expect, test } from "bun:test";
import { code, table } from "../../../scripts/docs-lib/markdown.ts";

describe("a table", () => {
  test("is not padded, and its cells are escaped", () => {
    expect(table(["a"], [["x|y <z>"], ["long cell"]])).toBe(
      "| a |\n| --- |\n| x\\|y &lt;z> |\n| long cell |",
    );
  });

  test("keeps code as it is, and has none for no text", () => {
    expect(code("a<b>")).toBe("`a<b>`");
    expect(code(undefined)).toBe("");
    expect(code("")).toBe("");
  });
});
