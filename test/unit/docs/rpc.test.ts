import { describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { createMethodTables, EXTENSION_METHODS, METHODS, RPC_ERRORS } from "#api/rpc/index.ts";
import { errorTable, methodTable, rpcPage } from "../../../scripts/docs-lib/pages/rpc.ts";

const page = String(await rpcPage.body());

describe("the page of JSON-RPC", () => {
  for (const methods of createMethodTables()) {
    const { version } = methods.spec;
    test(`has a section for version ${version}`, () => {
      expect(page).toContain(`## Version ${version}\n`);
    });

    for (const { name, errors } of METHODS) {
      if (!methods.methods.has(name)) continue;
      test(`says of ${name} in ${version} its parameters and errors`, () => {
        const row = methodTable(methods)
          .split("\n")
          .find((line) => line.startsWith(`| \`${name}\` | `));
        expect(row).toBeDefined();
        for (const param of methods.methods.get(name)?.params ?? []) {
          expect(row).toContain(`\`${param.name}${param.need === "required" ? "" : "?"}\``);
        }
        for (const error of errors) expect(row).toContain(error);
      });
    }
  }

  test("has every error with its code", () => {
    const rows = errorTable();
    for (const [name, { code }] of Object.entries(RPC_ERRORS)) {
      expect(rows).toContain(`| ${name} | ${code} | `);
    }
  });
});

test("every method has a file of its name", () => {
  const files = readdirSync(join(import.meta.dir, "../../../src/api/rpc/methods"));
  for (const { name } of [...METHODS, ...EXTENSION_METHODS]) expect(files).toContain(`${name}.ts`);
});

test("methods of other nodes are on the page", () => {
  for (const { name } of EXTENSION_METHODS) expect(page).toContain(`| \`${name}\` | `);
});
