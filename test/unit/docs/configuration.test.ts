import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isMap, isScalar, parseDocument, visit } from "yaml";
import { allConfigRows, chainConfigRows } from "#protocol/config/documentation.ts";
import { PRESETS } from "#protocol/config/index.ts";
import { fieldTable, presetTable } from "../../../scripts/docs-lib/pages/configuration.ts";

const fields = fieldTable();
const presets = presetTable();

describe("the page of the configuration", () => {
  for (const { name } of chainConfigRows()) {
    test(`has the field ${name}`, () => {
      expect(fields).toContain(`| \`${name}\` | `);
    });
  }

  test("has every inner field with form, default and meaning", () => {
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

  for (const preset of PRESETS) {
    test(`says what ${preset} sets`, () => {
      const folder = join(import.meta.dir, "../../../presets");
      const document = parseDocument(readFileSync(join(folder, `${preset}.yaml`), "utf8"));
      const column = PRESETS.indexOf(preset) + 1;
      const cells = presets.split("\n").map((line) => line.slice(2).split(" | "));
      visit(document, {
        Pair(_, pair, path) {
          const outer = path.filter((node) => isMap(node)).length;
          const name = isScalar(pair.key) ? String(pair.key.value) : "";
          if (outer > 1 || !isScalar(pair.value)) return;
          const row = cells.find(([first]) => first === `\`${name}\``) ?? [];
          const value = isScalar(pair.value) ? String(pair.value.value) : "";
          expect({ name, shown: (row[column] ?? "").replace(/ \|$/, "") }).toEqual({
            name,
            shown: value,
          });
        },
      });
    });
  }
});
