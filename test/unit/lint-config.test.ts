import { expect, test } from "bun:test";
import { join } from "node:path";
import { lintConfig } from "../../scripts/lint/config.ts";

test(".oxlintrc.json is generated from the table of lint levels", async () => {
  const written: unknown = await Bun.file(join(import.meta.dir, "../../.oxlintrc.json")).json();
  expect(written).toEqual(lintConfig());
});
