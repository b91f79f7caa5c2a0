import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { FIGURES, MACHINE } from "../../../scripts/docs-lib/data/benchmarks.ts";
import { benchmarksPage } from "../../../scripts/docs-lib/pages/benchmarks.ts";

const page = String(await benchmarksPage.body());

describe("the page of benchmarks", () => {
  test("names the machine", () => {
    expect(page).toContain(MACHINE);
  });

  for (const { what, figure, bench } of FIGURES) {
    test(`has "${what}" with a command that exists`, () => {
      expect(page).toContain(`| ${what} | ${figure} | \`./scripts/bench ${bench}\` |`);
      const file = join(import.meta.dir, `../../bench/${bench}.bench.ts`);
      expect(existsSync(file)).toBe(true);
    });
  }
});
