import { describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { ImportGraph } from "../../../scripts/test-lib/import-graph.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";

/** Imports of one module in a repository of these modules. */
function importsOf(path: string, modules: Readonly<Record<string, string>>): readonly string[] {
  using folder = temporaryFolder();
  for (const [name, text] of Object.entries(modules)) {
    mkdirSync(dirname(folder.file(name)), { recursive: true });
    writeFileSync(folder.file(name), text);
  }
  return new ImportGraph(folder.path).importsOf(path).toSorted();
}

const B = { "src/base/b.ts": "export const b = 1;", "src/base/c.ts": "export const c = 1;" };

describe("ImportGraph.importsOf", () => {
  test.each([
    ["an alias", 'import { b } from "#base/b.ts";'],
    ["a path", 'import { b } from "../base/b.ts";'],
    ["more than one line", 'import {\n  b,\n  type B,\n} from "#base/b.ts";'],
    ["a namespace", 'import * as all from "#base/b.ts";'],
    ["side effects", 'import "#base/b.ts";'],
    ["a dynamic import", 'const { b } = await import("#base/b.ts");'],
    ["a worker file", 'new Worker(new URL("../base/b.ts", import.meta.url));'],
    ["a re-export", 'export { b } from "#base/b.ts";'],
  ])("finds imports by %s", (_, text) => {
    expect(importsOf("src/io/a.ts", { ...B, "src/io/a.ts": text })).toEqual(["src/base/b.ts"]);
  });

  test.each([
    ["types", 'import type { B } from "#base/b.ts";'],
    ["types by name", 'import { type B } from "#base/b.ts";'],
    ["re-exported types", 'export type { B } from "#base/b.ts";'],
    ["packages", 'import { b } from "b";'],
    ["files that are missing", 'import { d } from "#base/d.ts";'],
  ])("omits %s", (_, text) => {
    expect(importsOf("src/io/a.ts", { ...B, "src/io/a.ts": text })).toEqual([]);
  });

  test("resolves names through an index to the defining module", () => {
    const index = 'export { b } from "./b.ts";\nexport { c, type C } from "./c.ts";\n';
    const outer = 'export { b as renamed } from "./index.ts";\nexport { c } from "./index.ts";\n';
    const modules = { ...B, "src/base/index.ts": index, "src/base/outer/index.ts": outer };
    const text = 'import { c } from "#base/index.ts";';
    expect(importsOf("src/io/a.ts", { ...modules, "src/io/a.ts": text })).toEqual([
      "src/base/c.ts",
    ]);
  });

  test("stops at an index that has imports itself", () => {
    const index = 'import { c } from "./c.ts";\nexport { b } from "./b.ts";\nexport const d = c;\n';
    const text = 'import { b } from "#base/index.ts";';
    const modules = { ...B, "src/base/index.ts": index, "src/io/a.ts": text };
    expect(importsOf("src/io/a.ts", modules)).toEqual(["src/base/index.ts"]);
  });

  test("includes all entries of threads for the module that starts them", () => {
    const folder = "src/app/node";
    const spawn = `${folder}/threads/spawn.ts`;
    const modules = {
      [spawn]: "new Worker(`../${folder}/${name}.thread.ts`);",
      [`${folder}/query/query.thread.ts`]: "",
      [`${folder}/query/other.ts`]: "",
    };
    expect(importsOf(spawn, modules)).toEqual([`${folder}/query/query.thread.ts`]);
  });
});
