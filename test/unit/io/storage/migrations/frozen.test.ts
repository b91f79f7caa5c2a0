import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { CHAIN_MIGRATIONS } from "#io/storage/migrations/index.ts";

const FOLDER = join(import.meta.dir, "../../../../../src/io/storage");
const transpiler = new Bun.Transpiler({ loader: "ts" });

const importsOf = (path: string): readonly string[] =>
  transpiler.scanImports(readFileSync(join(FOLDER, path), "utf8")).map(({ path: name }) => name);

// A released migration must not change with other code.
test("a migration imports nothing but the query builder", () => {
  const released = readdirSync(join(FOLDER, "migrations")).filter((name) => name !== "index.ts");
  expect(released.map((name) => name.replace(".ts", "")).sort()).toEqual(
    Object.keys(CHAIN_MIGRATIONS),
  );
  const files = [
    ...released.map((name) => `migrations/${name}`),
    ...["mempool/migrations.ts", "compiled/migrations.ts", "fork/migrations.ts"],
  ];
  for (const file of files) {
    const foreign = importsOf(file).filter((name) => name !== "kysely");
    expect([file, foreign]).toEqual([file, []]);
  }
});
