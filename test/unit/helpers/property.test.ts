import { afterEach, beforeEach, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { assertProperty } from "#test/helpers/property.ts";

const NAMES = ["FUZZ_SEED", "FUZZ_RUNS", "FUZZ_FACTOR"] as const;
const before = NAMES.map((name) => process.env[name]);

beforeEach(() => {
  for (const name of NAMES) delete process.env[name];
});

afterEach(() => {
  for (const [index, name] of NAMES.entries()) {
    const value = before[index];
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
});

function drawn(): number[] {
  const values: number[] = [];
  assertProperty(
    fc.property(fc.integer(), (value) => {
      values.push(value);
    }),
    { numRuns: 20 },
  );
  return values;
}

test("assertProperty draws the same values in every run and prints its seed on failure", () => {
  expect(drawn()).toHaveLength(20);
  expect(drawn()).toEqual(drawn());
  const failing = fc.property(fc.integer(), () => false);
  expect(() => {
    assertProperty(failing);
  }).toThrow("seed: 20261121");
});

test("environment variables set the seed and the number of runs of all properties", () => {
  const usual = drawn();
  process.env["FUZZ_SEED"] = "7";
  process.env["FUZZ_RUNS"] = "30";
  expect(drawn()).toHaveLength(30);
  expect(drawn().slice(0, 20)).not.toEqual(usual);
  delete process.env["FUZZ_RUNS"];
  process.env["FUZZ_FACTOR"] = "3";
  expect(drawn()).toHaveLength(60);
  process.env["FUZZ_SEED"] = "seven";
  expect(drawn).toThrow("FUZZ_SEED=seven: expected a non-negative integer");
});

test("only the property helpers call fc.assert or fc.check", () => {
  const root = join(import.meta.dir, "../..");
  const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith(".ts"),
  );
  const call = /\bfc\s*\.\s*(?:assert|check)\(/;
  const found = files.filter((file) => call.test(readFileSync(join(root, file), "utf8")));
  expect(found.toSorted()).toEqual([
    join("helpers", "property.ts"),
    join("unit", "helpers", "budgeted-property.test.ts"),
  ]);
});
