import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { roomTable } from "../../../scripts/docs-lib/pages/architecture.ts";
import { ROOMS } from "../../../scripts/docs-lib/data/rooms.ts";
import { rooms } from "../../../scripts/lint/floors.ts";

const SOURCES = join(import.meta.dir, "../../../src");
const table = roomTable();

describe("the page of the architecture", () => {
  for (const { floor, name, path } of rooms()) {
    test(`has the room ${path}, and whether it is built`, () => {
      const state = existsSync(join(SOURCES, path)) ? "" : " (not built yet)";
      const { owns } = ROOMS[name as keyof typeof ROOMS];
      expect(table).toContain(`| \`${floor}\` | \`${name}\`${state} | ${owns} | `);
    });
  }

  test("knows every folder of a floor", () => {
    const known = rooms().map(({ path }) => path);
    const floors = new Set(rooms().map(({ floor }) => floor));
    const folders = [...floors].flatMap((floor) =>
      readdirSync(join(SOURCES, floor), { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => `${floor}/${name}`),
    );
    expect(folders.filter((folder) => !known.includes(folder))).toEqual([]);
  });
});
