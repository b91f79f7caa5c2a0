import { describe, expect, test } from "bun:test";
import { problemsOf } from "../../../scripts/version-lib/check.ts";
import { SAMPLE } from "./sample-changelog.ts";

/** Problems of the sample after a replacement. */
function problemsAfter(from: string, to: string): readonly string[] {
  expect(SAMPLE).toContain(from);
  return problemsOf(SAMPLE.replace(from, to), "0.2.0");
}

describe("problemsOf", () => {
  test("accepts the sample, and one without unreleased entries", () => {
    expect(problemsOf(SAMPLE, "0.2.0")).toEqual([]);
    expect(problemsAfter("What comes next.\n\n### Added\n\n- A new thing.\n\n", "")).toEqual([]);
  });

  test("accepts an entry of 160 characters, and rejects a longer one with its line", () => {
    expect(problemsAfter("A new thing.", "ü".repeat(160))).toEqual([]);
    expect(problemsAfter("A new thing.", "ü".repeat(161))).toEqual([
      "CHANGELOG.md:11: 161 characters, expected at most 160: move details to docs",
    ]);
  });

  test.each([
    ["a second line of an entry", "- A new thing.", "- A new\n  thing.", "in one line"],
    ["a second line about a version", "The first one.", "The first\none.", "in one line"],
    ["a long line about a version", "The first one.", "x".repeat(161), "161 characters"],
    ["another heading", "### Fixed", "### Bugs", 'found "### Bugs"'],
    ["a heading of another level", "### Fixed", "#### Fixed", 'found "#### Fixed"'],
    ["a repeated heading", "### Fixed", "### Changed", '"### Changed" is repeated'],
    ["a group without entries", "- Another thing.\n\n", "", "the group above has no entries"],
    ["a last group without entries", "- A bug.\n", "", "has no entries"],
    ["an entry without a heading", "### Added\n\n- A new", "- A new", "needs a heading above"],
    ["a version without entries", "### Added\n\n- A thing.\n", "", "0.1.0 - 2026-01-02 has no"],
    ["versions out of order", "## 0.1.0 -", "## 0.3.0 -", "0.3.0 must be lower"],
    ["a later date below", "## 0.1.0 - 2026-01-02", "## 0.1.0 - 2026-03-01", "is later than"],
    ["a version without date", "## 0.1.0 - 2026-01-02", "## 0.1.0", 'found "## 0.1.0"'],
    ["no unreleased section", "## Unreleased", "## Next", 'expected "## Unreleased" first'],
    ["no table", "## Versions", "## Commits", 'expected "## Versions" last'],
    [
      "a missing row",
      "| 0.1.0   | 2026-01-02 | `11111111` |\n",
      "",
      "expected a row for each of 2",
    ],
    ["a row of another form", "`11111111`", "11111111", "expected a row for each of 2"],
    ["a row of another date", "| 2026-01-02", "| 2026-01-03", "expected 0.1.0 of 2026-01-02"],
  ])("rejects %s", (_, from, to, message) => {
    const problems = problemsAfter(from, to);
    expect(problems.join("\n")).toContain(message);
    for (const problem of problems) expect(problem).toMatch(/^CHANGELOG\.md:[1-9]\d*: \S/);
  });

  test("rejects rows in another order than the headings", () => {
    const rows = SAMPLE.split("\n").slice(-3, -1);
    const swapped = SAMPLE.replace(rows.join("\n"), rows.toReversed().join("\n"));
    expect(problemsOf(swapped, "0.2.0")).toHaveLength(2);
  });

  test("rejects another version of package.json", () => {
    expect(problemsOf(SAMPLE, "0.2.1")).toEqual([
      "package.json: version is 0.2.1, but the newest in CHANGELOG.md is 0.2.0: scripts/version sets both",
    ]);
  });

  test("reports an empty file without failing", () => {
    expect(problemsOf("", "0.2.0").length).toBeGreaterThan(0);
  });
});
