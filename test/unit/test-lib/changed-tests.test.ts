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

/** What changes touch in a repository of {@link MODULES}. */
function touchedBy(...changed: readonly string[]) {
  using folder = temporaryFolder();
  for (const [name, text] of Object.entries(MODULES)) {
    mkdirSync(dirname(folder.file(name)), { recursive: true });
    writeFileSync(folder.file(name), text);
  }
  return changedTests(folder.path, changed);
}

describe("the tests that a change touches", () => {
  test("import the changed module, at any distance", () => {
    expect(touchedBy("src/io/a.ts")).toEqual({
      quick: ["test/unit/io/a.test.ts", "test/unit/services/b.test.ts"],
      endToEnd: ["test/e2e/x.test.ts"],
      isProgramChanged: true,
    });
  });

  test("are themselves changed", () => {
    expect(touchedBy("test/e2e/y.test.ts", "test/unit/io/a.test.ts")).toEqual({
      quick: ["test/unit/io/a.test.ts"],
      endToEnd: ["test/e2e/y.test.ts"],
      isProgramChanged: false,
    });
  });

  test("mirror the folder of a module without a test of its own, also of one that is gone", () => {
    expect(touchedBy("src/io/gone.ts").quick).toEqual([
      "test/unit/io/a.test.ts",
      "test/unit/io/other.test.ts",
    ]);
  });

  test("read what is no module", () => {
    expect(touchedBy("README.md").quick).toEqual(["test/unit/docs/links.test.ts"]);
  });

  test("are all of them where dependencies or settings change", () => {
    const { quick, endToEnd } = touchedBy("bun.lock");
    expect([quick.length, endToEnd.length]).toEqual([4, 2]);
  });

  test("are none for a file that nothing reads", () => {
    expect(touchedBy("LICENSE")).toEqual({ quick: [], endToEnd: [], isProgramChanged: false });
  });
});
