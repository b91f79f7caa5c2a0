import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Suite } from "#test/helpers/conformance/suite.ts";
import { SUITES } from "#test/helpers/conformance/suites.ts";

const ROOT = join(import.meta.dir, "../../..");
const suites = Object.entries<Suite>(SUITES);

test("every suite of the conformance page is checked by an existing test", () => {
  const unchecked = suites.filter(([name, { test: file }]) => {
    const path = join(ROOT, file);
    return !existsSync(path) || !readFileSync(path, "utf8").includes(`expectSuite("${name}"`);
  });
  expect(unchecked.map(([name]) => name)).toEqual([]);
});

test("every exception of a suite omits something", () => {
  const exceptions = suites.flatMap(([, { leftOut, inPart }]) => [...leftOut, ...inPart]);
  expect(exceptions.filter(({ count }) => count <= 0)).toEqual([]);
});
