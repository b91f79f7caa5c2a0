import { expect, test } from "bun:test";
import { join } from "node:path";
import { lintConfig } from "../../scripts/lint/config.ts";

test("the lint configuration is what the table of levels gives", async () => {
  const written: unknown = await Bun.file(join(import.meta.dir, "../../.oxlintrc.json")).json();
  expect(written).toEqual(lintConfig());
});
