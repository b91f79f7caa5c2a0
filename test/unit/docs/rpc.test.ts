import { describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { createMethodTables, METHODS, RPC_ERRORS } from "#api/rpc/index.ts";
import { gapOf } from "../../../scripts/docs-lib/method-gap.ts";
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
      test(`says of ${name} in ${version} whether it answers, its parameters and errors`, () => {
        const row = methodTable(methods)
          .split("\n")
          .find((line) => line.startsWith(`| \`${name}\` | `));
        expect(row).toContain(gapOf(name)?.kind === "all" ? "| not built yet |" : "| yes");
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

describe("what a method lacks", () => {
  test("is read from where it refuses", () => {
    for (const built of ["getNonce", "estimateFee", "getEvents"])
      expect(gapOf(built)).toBeUndefined();
  });

  test("is looked for in a file of every method", () => {
    const folder = join(import.meta.dir, "../../../src/api/rpc/methods");
    const files = readdirSync(folder);
    for (const { name } of METHODS) expect(files).toContain(`${name}.ts`);
  });
});
