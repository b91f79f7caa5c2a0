import { describe, expect, test } from "bun:test";
import { rowsOf, sectionsOf } from "../../../scripts/version-lib/changelog.ts";
import { problemsOf } from "../../../scripts/version-lib/check.ts";
import { refusalOf, released } from "../../../scripts/version-lib/release.ts";
import { SAMPLE } from "./sample-changelog.ts";

const MANIFEST = '{\n  "name": "a",\n  "version": "0.2.0",\n  "b": { "version": "0.2.0" }\n}\n';
const INPUT = { changelog: SAMPLE, manifest: MANIFEST, packageVersion: "0.2.0", isClean: true };
const RELEASE = { number: [0, 3, 0], date: "2026-03-04", commit: "3".repeat(40) } as const;

describe("refusalOf", () => {
  test("accepts a higher version in a clean tree with unreleased entries", () => {
    expect(refusalOf(INPUT, RELEASE)).toBeUndefined();
  });

  test.each([
    [{}, { number: [0, 2, 0] }, "0.2.0 is not higher than the current version 0.2.0"],
    [{}, { number: [0, 1, 9] }, "use --patch, --minor or --major"],
    [{ packageVersion: "next" }, {}, 'package.json has the version "next"'],
    [{ isClean: false }, {}, "commit, stash or delete them first"],
    [{}, { commit: "" }, "run in a clone"],
    [{ changelog: SAMPLE.replace("- A new thing.", "") }, {}, "no entries under Unreleased"],
  ] as const)("refuses %j with %j", (input, release, message) => {
    expect(refusalOf({ ...INPUT, ...input }, { ...RELEASE, ...release })).toContain(message);
  });
});

describe("released", () => {
  const { changelog, manifest } = released(INPUT, RELEASE);

  test("moves the unreleased text under the version, and keeps all other lines", () => {
    expect(changelog).toContain(
      "## Unreleased\n\n## 0.3.0 - 2026-03-04\n\nWhat comes next.\n\n### Added\n\n- A new thing.\n",
    );
    const added = ["## 0.3.0 - 2026-03-04", "| 0.3.0   | 2026-03-04 | `33333333` |"];
    const lines = changelog.split("\n").filter((line) => line !== "");
    expect(lines.filter((line) => !added.includes(line))).toEqual(
      SAMPLE.split("\n").filter((line) => line !== ""),
    );
  });

  test("adds the row of the version above the others", () => {
    expect(rowsOf(sectionsOf(changelog)).map(({ version, commit }) => [version, commit])).toEqual([
      ["0.3.0", "33333333"],
      ["0.2.0", "22222222"],
      ["0.1.0", "11111111"],
    ]);
  });

  test("sets the version of package.json alone", () => {
    expect(JSON.parse(manifest)).toEqual({ name: "a", version: "0.3.0", b: { version: "0.2.0" } });
  });

  test("passes the check, and leaves nothing to release", () => {
    expect(problemsOf(changelog, "0.3.0")).toEqual([]);
    const next = { ...RELEASE, number: [0, 4, 0] } as const;
    const input = { ...INPUT, changelog, packageVersion: "0.3.0" };
    expect(refusalOf(input, next)).toContain("no entries under Unreleased");
  });
});
