import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { EXTENSION_METHODS, METHODS } from "#api/rpc/index.ts";

test("every RPC method has a file of its name", () => {
  const files = readdirSync(join(import.meta.dir, "../../../src/api/rpc/methods"));
  const names = [...METHODS, ...EXTENSION_METHODS].map(({ name }) => `${name}.ts`);
  expect(names.filter((name) => !files.includes(name))).toEqual([]);
});
