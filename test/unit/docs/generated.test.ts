import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { code, table } from "../../../scripts/docs-lib/markdown.ts";
import { GENERATED, pageText } from "../../../scripts/docs-lib/page.ts";
import { PAGES } from "../../../scripts/docs-lib/pages.ts";

const DOCS = join(import.meta.dir, "../../../docs");

describe("generated pages", () => {
  for (const page of PAGES) {
    test(`docs/${page.file} is current`, async () => {
      expect(readFileSync(join(DOCS, page.file), "utf8")).toBe(await pageText(page));
    });
  }

  test("are all made by a page of the table", () => {
    const marked = readdirSync(DOCS).filter((file) =>
      readFileSync(join(DOCS, file), "utf8").includes(GENERATED),
    );
    expect(marked.sort()).toEqual(PAGES.map(({ file }) => file).sort());
  });
});

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
