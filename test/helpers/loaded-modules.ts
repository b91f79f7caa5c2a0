import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";

const ROOT = resolve(import.meta.dir, "../..");
const transpiler = new Bun.Transpiler({ loader: "ts" });

/** Everything that a module loads when it is loaded itself: files by their paths, packages by their names. */
export function loadedBy(entry: string): ReadonlySet<string> {
  const found = new Set<string>();
  const walk = (file: string): void => {
    if (found.has(file)) return;
    found.add(file);
    for (const { path, kind } of transpiler.scanImports(readFileSync(file, "utf8"))) {
      if (kind !== "import-statement") continue;
      if (path.startsWith(".")) walkScript(resolve(dirname(file), path));
      else if (path.startsWith("#")) walkScript(resolve(ROOT, "src", path.slice(1)));
      else found.add(path);
    }
  };
  const walkScript = (file: string): void => {
    if (file.endsWith(".ts")) walk(file);
  };
  walk(resolve(ROOT, entry));
  return found;
}
