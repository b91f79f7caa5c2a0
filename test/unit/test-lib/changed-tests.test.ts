import { describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { changedTests } from "../../../scripts/test-lib/changed-tests.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";

const MODULES = {
  "src/io/a.ts": "export const a = 1;",
  "src/services/b.ts": 'import { a } from "#io/a.ts"; export const b = a;',
  "test/helpers/world.ts": 'import { b } from "#services/b.ts"; export const world = b;',
  "test/unit/io/a.test.ts": 'import { a } from "#io/a.ts"; a;',
  "test/unit/io/other.test.ts": "",
  "test/unit/services/b.test.ts": 'import { world } from "#test/helpers/world.ts"; world;',
  "test/unit/docs/links.test.ts": "",
  "test/e2e/x.test.ts": 'import { world } from "#test/helpers/world.ts"; world;',
  "test/e2e/y.test.ts": "",
};

/** Tests that changes touch in a repository of {@link MODULES}. */
function touchedBy(...changed: readonly string[]) {
  using folder = temporaryFolder();
  for (const [name, text] of Object.entries(MODULES)) {
    mkdirSync(dirname(folder.file(name)), { recursive: true });
    writeFileSync(folder.file(name), text);
  }
  return changedTests(folder.path, changed);
}

describe("changedTests selects", () => {
  test("tests that import the changed module, directly or indirectly", () => {
    expect(touchedBy("src/io/a.ts")).toEqual({
      quick: ["test/unit/io/a.test.ts", "test/unit/services/b.test.ts"],
      endToEnd: ["test/e2e/x.test.ts"],
      isProgramChanged: true,
    });
  });

  test("tests that are changed themselves", () => {
    expect(touchedBy("test/e2e/y.test.ts", "test/unit/io/a.test.ts")).toEqual({
      quick: ["test/unit/io/a.test.ts"],
      endToEnd: ["test/e2e/y.test.ts"],
      isProgramChanged: false,
    });
  });

  test("tests in the mirrored folder of a module without tests, also of a deleted one", () => {
    expect(touchedBy("src/io/gone.ts").quick).toEqual([
      "test/unit/io/a.test.ts",
      "test/unit/io/other.test.ts",
    ]);
  });

  test("tests that read files other than modules", () => {
    expect(touchedBy("README.md").quick).toEqual(["test/unit/docs/links.test.ts"]);
  });

  test("all tests if dependencies or settings change", () => {
    const { quick, endToEnd } = touchedBy("bun.lock");
    expect([quick.length, endToEnd.length]).toEqual([4, 2]);
  });

  test("no tests for a file that nothing reads", () => {
    expect(touchedBy("LICENSE")).toEqual({ quick: [], endToEnd: [], isProgramChanged: false });
  });
});
