import { describe, expect, test } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";
import { fixtureFiles } from "../../../scripts/test-lib/fixture-files.ts";
import { ImportGraph } from "../../../scripts/test-lib/import-graph.ts";

const ROOT = join(import.meta.dir, "../../..");

/** Test files of a repository with these modules that need the fixtures. */
function filesOf(modules: Readonly<Record<string, string>>): readonly string[] {
  using folder = temporaryFolder();
  for (const [path, text] of Object.entries(modules)) {
    mkdirSync(dirname(folder.file(path)), { recursive: true });
    writeFileSync(folder.file(path), text);
  }
  return fixtureFiles(folder.path, ["test/unit", "test/e2e"], new ImportGraph(folder.path));
}

const HELPER = { "test/helpers/shared.ts": "export const fixturePath = 1;" };

describe("fixtureFiles", () => {
  test("finds test files that import the fixture helper by alias or path", () => {
    const found = filesOf({
      ...HELPER,
      "test/unit/a/b.test.ts":
        'import { fixturePath } from "#test/helpers/shared.ts"; fixturePath;',
      "test/e2e/c.test.ts": 'import { fixturePath } from "../helpers/shared.ts"; fixturePath;',
      "test/unit/d.test.ts": 'import { test } from "bun:test"; test;',
    });
    expect(found).toEqual(["test/e2e/c.test.ts", "test/unit/a/b.test.ts"]);
  });

  test("finds test files that reach the helper through other modules, also circular ones", () => {
    const found = filesOf({
      ...HELPER,
      "test/helpers/x.ts": 'export { y } from "./y.ts"; export const x = 1;',
      "test/helpers/y.ts":
        'import { x } from "./x.ts"; export * from "./shared.ts"; export const y = x;',
      "test/unit/a.test.ts": 'import { x } from "#test/helpers/x.ts"; x;',
      "test/unit/b.test.ts": 'const { y } = await import("#test/helpers/y.ts"); y;',
    });
    expect(found).toEqual(["test/unit/a.test.ts", "test/unit/b.test.ts"]);
  });

  test("ignores imports of types", () => {
    const found = filesOf({
      ...HELPER,
      "test/unit/a.test.ts": 'import type { T } from "#test/helpers/shared.ts"; export type U = T;',
    });
    expect(found).toEqual([]);
  });
});

test("only the fixture helper contains paths of the fixtures", () => {
  const paths = [...new Bun.Glob("test/**/*.ts").scanSync({ cwd: ROOT })];
  const named = /(?:\.\.\/)+shared(?:\/(?:fixtures|oracle|reference)|["'`])/;
  const found = paths.filter(
    (path) => !path.startsWith("test/bench/") && named.test(readFileSync(join(ROOT, path), "utf8")),
  );
  expect(found).toEqual(["test/helpers/shared.ts"]);
});
