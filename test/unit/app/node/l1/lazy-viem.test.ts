import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";

const ROOT = resolve(import.meta.dir, "../../../../..");
const transpiler = new Bun.Transpiler({ loader: "ts" });

/** Modules that `entry` loads, transitively; packages by their names. */
function loaded(entry: string): ReadonlySet<string> {
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

const readsL1 = (path: string): boolean =>
  path === "viem" || path.startsWith("viem/") || path.includes("/src/io/l1/");

test("a node that does not follow L1 loads no L1 module", () => {
  const all = [...loaded("src/app/node/node.ts")];
  expect(all.length).toBeGreaterThan(300);
  expect(all.filter(readsL1)).toEqual([]);
});

test("a node that follows L1 loads viem", () => {
  const all = [...loaded("src/app/node/l1/connect-l1.ts")];
  expect(all).toContain("viem");
});
