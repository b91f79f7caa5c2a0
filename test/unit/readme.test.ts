import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createNodeMetrics } from "#base/telemetry/metrics.ts";
import { fillSections, MarkerError, table } from "../../scripts/docs-lib/markdown.ts";

const ROOT = join(import.meta.dir, "../..");
const readme = readFileSync(join(ROOT, "README.md"), "utf8");

describe("the README", () => {
  for (const { name } of createNodeMetrics().registry.getMetricsAsArray()) {
    test(`explains the metric ${name}`, () => {
      expect(readme).toContain(`\`${name}\``);
    });
  }

  test("links to files that exist", () => {
    const links = [...readme.matchAll(/\]\(([^)#:]+)\)/g)].map(([, path = ""]) => path);
    expect(links.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
    expect(links).not.toEqual([]);
  });
});

describe("generated sections", () => {
  test("replace what stands between their markers, and nothing else", () => {
    const document = "a\n<!-- docs:x -->\nold\n<!-- /docs:x -->\nb";
    expect(fillSections(document, { x: () => "new" })).toBe(
      "a\n<!-- docs:x -->\n\nnew\n\n<!-- /docs:x -->\nb",
    );
  });

  test("missing and unknown markers are errors", () => {
    expect(() => fillSections("", { x: () => "" })).toThrow(MarkerError);
    expect(() => fillSections("<!-- docs:y -->", {})).toThrow(MarkerError);
  });

  test("cells of a table are escaped", () => {
    expect(table(["a"], [["x|y <z>"]])).toBe("| a |\n| --- |\n| x\\|y &lt;z> |");
  });
});
