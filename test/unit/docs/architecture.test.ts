import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { rooms } from "../../../scripts/lint/floors.ts";

const SOURCES = join(import.meta.dir, "../../../src");

test("the architecture knows every folder of a floor", () => {
  const known = rooms().map(({ path }) => path);
  const floors = new Set(rooms().map(({ floor }) => floor));
  const folders = [...floors].flatMap((floor) =>
    readdirSync(join(SOURCES, floor), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => `${floor}/${name}`),
  );
  expect(folders.filter((folder) => !known.includes(folder))).toEqual([]);
});
