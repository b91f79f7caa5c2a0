import { describe, expect, test } from "bun:test";
import { existsSync, statSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { documents } from "#test/helpers/command-blocks.ts";
import { anchorsOf, linksOf, pathsIn } from "#test/helpers/markdown-links.ts";

const ROOT = join(import.meta.dir, "../../..");
const all = new Map(documents().map(({ path, text }) => [path, text]));

/** Findings in all documents, with the path of each document. */
function findings<T>(
  wrongIn: (path: string, text: string) => readonly T[],
): readonly (readonly [string, T])[] {
  return [...all].flatMap(([path, text]) =>
    wrongIn(path, text).map((found) => [path, found] as const),
  );
}

describe("documents", () => {
  test("have no broken links", () => {
    const broken = findings((path, text) =>
      linksOf(text).filter(({ file, anchor }) => {
        const target = file === "" ? path : normalize(join(dirname(path), file));
        if (!existsSync(join(ROOT, target))) return true;
        return anchor !== "" && !anchorsOf(all.get(target) ?? "").includes(anchor);
      }),
    );
    expect(broken).toEqual([]);
  });

  test("name existing files", () => {
    const missing = findings((path, text) =>
      path === "CHANGELOG.md"
        ? []
        : pathsIn(text).filter((named) => !existsSync(join(ROOT, named))),
    );
    expect(missing).toEqual([]);
  });

  test("have unpadded tables", () => {
    const padded = findings((path, text) =>
      /^(README|CONTRIBUTING|docs\/.*)\.md$/.test(path)
        ? text
            .split("\n")
            .filter((line) => line.startsWith("|") && /[^|\s] {2,}\||\|:? ?-{4,}/.test(line))
        : [],
    );
    expect(padded).toEqual([]);
  });

  test("in docs are all linked by the index of their folder", () => {
    // The index of `docs`, and the indexes of its folders.
    const linked = [...all]
      .filter(([path]) => /^docs\/(?:.*\/)?README\.md$/.test(path))
      .flatMap(([path, text]) =>
        linksOf(text).map(({ file }) => normalize(join(dirname(path), file))),
      );
    const pages = [...all.keys()].filter((path) => /^docs\/(?!README\.md)/.test(path));
    expect(pages.filter((path) => !linked.includes(path))).toEqual([]);
    expect(pages).not.toEqual([]);
  });
});

describe("short entry documents:", () => {
  test("README.md has at most 8 KB", () => {
    expect(statSync(join(ROOT, "README.md")).size).toBeLessThanOrEqual(8 * 1024);
  });

  test("README.md has at most 120 lines", () => {
    expect((all.get("README.md") ?? "").trimEnd().split("\n").length).toBeLessThanOrEqual(120);
  });

  test("CONTRIBUTING.md has at most 120 lines", () => {
    expect((all.get("CONTRIBUTING.md") ?? "").trimEnd().split("\n").length).toBeLessThanOrEqual(
      120,
    );
  });
});

describe("link parsers", () => {
  test("find files and anchors, but neither addresses nor code", () => {
    const text = "[a](b.md#c) [d](#e) [f](https://g.example) `[h](i)`\n```\n[j](k)\n```\n";
    expect(linksOf(text)).toEqual([
      { file: "b.md", anchor: "c" },
      { file: "", anchor: "e" },
    ]);
  });

  test("derive anchors of headings like code forges", () => {
    expect(anchorsOf("# One `two` (3)\n\n```\n# not one\n```\n\n## A, B\n## A, B\n")).toEqual([
      "one-two-3",
      "a-b",
      "a-b-1",
    ]);
  });

  test("find paths in code, but not patterns", () => {
    const text =
      "`src/a.ts` `./scripts/b --x` `src/<name>.ts` `test/*.ts` `docs` `x/y.ts` `src/a/NAME.ts`";
    expect(pathsIn(text)).toEqual(["src/a.ts", "scripts/b"]);
  });
});
