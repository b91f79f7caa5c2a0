import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createCairoVm } from "#engine/cairo/index.ts";
import { parseJson } from "#base/codec/index.ts";
import { expectSuite } from "#test/helpers/conformance/check.ts";
import { runScenarioFile } from "#test/helpers/scenario/run.ts";

const FOLDER = join(import.meta.dir, "../fixtures/oracle");
const names = readdirSync(FOLDER)
  .filter((file) => file.endsWith(".json") && !file.endsWith(".result.json"))
  .map((file) => file.replace(/\.json$/, ""))
  .sort();

const vm = createCairoVm();

describe("scenarios with the shipped contracts match the reference engine", () => {
  for (const name of names) {
    test(name, () => {
      const text = readFileSync(join(FOLDER, `${name}.result.json`), "utf8");
      const { engine: _, ...expected } = parseJson(text) as Readonly<Record<string, unknown>>;
      const run = runScenarioFile(join(FOLDER, `${name}.json`), { vm });
      const { engine: __, ...actual } = run as Readonly<Record<string, unknown>>;
      expect(actual).toEqual(expected);
    });
  }
});

test("conformance table counts every contract scenario", () => {
  expectSuite("contracts", { compared: names.length });
});
