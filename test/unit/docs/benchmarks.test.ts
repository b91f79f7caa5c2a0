import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { FIGURES } from "../../../scripts/docs-lib/data/benchmarks.ts";

test("every figure has a command that exists", () => {
  const missing = FIGURES.filter(
    ({ bench }) => !existsSync(join(import.meta.dir, `../../bench/${bench}.bench.ts`)),
  );
  expect(missing.map(({ what }) => what)).toEqual([]);
});
