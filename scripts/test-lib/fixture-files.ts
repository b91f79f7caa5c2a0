import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** The only module that knows where the fixtures are. */
const HELPER = "test/helpers/shared.ts";

const transpiler = new Bun.Transpiler({ loader: "ts" });

/** The modules of `test` that a module imports, as paths from `root`; types are no imports. */
function importsOf(root: string, path: string): readonly string[] {
  return transpiler
    .scanImports(readFileSync(join(root, path), "utf8"))
    .map(({ path: name }) => {
      if (name.startsWith("#test/")) return join("test", name.slice("#test/".length));
      return name.startsWith(".") ? join(dirname(path), name) : "";
    })
    .filter((name) => /^test\/.*\.ts$/.test(name) && existsSync(join(root, name)));
}

/**
 * The test files below `folders` that import the helper of the fixtures, themselves or through other
 * modules of `test`: what they do in a clone without fixtures is worth a try.
 *
 * @param root - the repository
 */
export function fixtureFiles(root: string, folders: readonly string[]): readonly string[] {
  const files = folders.flatMap((folder) => [
    ...new Bun.Glob(`${folder}/**/*.test.ts`).scanSync({ cwd: root }),
  ]);
  const importers = new Map<string, string[]>();
  const seen = new Set(files);
  // A set's iteration goes on with what is added meanwhile.
  for (const path of seen) {
    for (const imported of importsOf(root, path)) {
      seen.add(imported);
      importers.set(imported, [...(importers.get(imported) ?? []), path]);
    }
  }
  const reaching = new Set([HELPER]);
  for (const path of reaching) {
    for (const importer of importers.get(path) ?? []) reaching.add(importer);
  }
  return files.filter((path) => reaching.has(path)).sort();
}
