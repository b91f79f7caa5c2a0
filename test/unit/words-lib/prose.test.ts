import { describe, expect, test } from "bun:test";
import { changelogProse, markdownProse } from "../../../scripts/words-lib/prose.ts";

const textOf = (page: string): string => markdownProse(page)[0]?.text ?? "";

describe("markdownProse", () => {
  test.each([
    "```sh\ncode\n```\n",
    "```\ncode\n```",
    "~~~\ncode ```\n~~~\n",
    "  ```ts\n  code\n  ```\n",
    "````md\n```\ncode\n```\n````\n",
    "`code`",
    "``a ` code``",
    "<!-- code\ncode -->",
    "[text](code.md#code)",
  ])("hides the code of %p", (page) => {
    expect(textOf(`before\n${page}\nafter`)).not.toContain("code");
  });

  test("keeps text, its positions and its lines", () => {
    const page = "# One\n\n```\nis told\n```\n\nTwo `x` [three](four) | five |\n";
    const text = textOf(page);
    expect(text).toHaveLength(page.length);
    for (const word of ["One", "Two", "three", "five"]) {
      expect(text.indexOf(word)).toBe(page.indexOf(word));
    }
    expect(text.split("\n")).toHaveLength(page.split("\n").length);
  });
});

describe("changelogProse", () => {
  test("returns the section of unreleased changes with its position", () => {
    const page = "# Changelog\n\n## Unreleased\n\n- new\n\n## 0.1.0\n\n- old\n";
    const [prose] = changelogProse(page);
    expect(prose?.text).toBe("## Unreleased\n\n- new\n");
    expect(prose?.start).toBe(page.indexOf("## Unreleased"));
  });

  test("returns nothing without such a section", () => {
    expect(changelogProse("# Changelog\n\n## 0.1.0\n\n- old\n")).toEqual([]);
  });
});
