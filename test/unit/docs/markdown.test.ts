import { describe, expect, test } from "bun:test";
import { code, table } from "../../../scripts/docs-lib/markdown.ts";

describe("markdown", () => {
  test("table is not padded and escapes its cells", () => {
    expect(table(["a"], [["x|y <z>"], ["long cell"]])).toBe(
      "| a |\n| --- |\n| x\\|y &lt;z> |\n| long cell |",
    );
  });

  test("code keeps its text and is empty without text", () => {
    expect(code("a<b>")).toBe("`a<b>`");
    expect(code(undefined)).toBe("");
    expect(code("")).toBe("");
  });
});
