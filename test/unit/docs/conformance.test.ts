import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { countOf, type Suite } from "#test/helpers/conformance/suite.ts";
import { SUITES } from "#test/helpers/conformance/suites.ts";
import { conformancePage } from "../../../scripts/docs-lib/pages/conformance.ts";

const ROOT = join(import.meta.dir, "../../..");
const page = String(await conformancePage.body());
const plain = page.replaceAll(" ", "");

describe("the page of conformance", () => {
  for (const [name, suite] of Object.entries<Suite>(SUITES)) {
    const { title, unit, compared, leftOut, inPart } = suite;
    test(`counts "${title}" with every exception`, () => {
      const left = countOf(leftOut);
      const summary = `${compared} ${unit} compared, ${left === 0 ? "none" : left} left out.`;
      expect(page).toContain(`## ${title}\n`);
      expect(plain).toContain(summary.replaceAll(" ", ""));
      for (const { what, count, reason } of [...leftOut, ...inPart]) {
        expect(plain).toContain(`|${what}|${count}|${reason}|`.replaceAll(" ", ""));
        expect(count).toBeGreaterThan(0);
      }
    });

    test(`"${title}" is checked by a test that exists`, () => {
      expect(existsSync(join(ROOT, suite.test))).toBe(true);
      expect(readFileSync(join(ROOT, suite.test), "utf8")).toContain(`expectSuite("${name}"`);
    });
  }
});
