import { expect, test } from "bun:test";
import { allConfigRows } from "#protocol/config/documentation.ts";
import { fieldTable } from "../../../scripts/docs-lib/pages/configuration.ts";

const fields = fieldTable();

test("every nested configuration field has form, default and meaning", () => {
  const rows = allConfigRows();
  expect(rows.filter(({ meaning }) => meaning === undefined)).toEqual([]);
  expect(rows.map(({ name }) => name)).toContain("bouncer_config.block_max_capacity.n_steps");
  expect(rows.map(({ name }) => name)).toContain("genesis.contracts.NAME.storage");
  for (const { name, form, fallback = "required", meaning = "" } of rows) {
    const lines = fields.split("\n").filter((line) => line.startsWith(`| \`${name}\` `));
    const cells = `| ${form} | ${fallback} | ${meaning}`;
    expect({ name, found: lines.some((line) => line.includes(cells)) }).toEqual({
      name,
      found: true,
    });
  }
});
