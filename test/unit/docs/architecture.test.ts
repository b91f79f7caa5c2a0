import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { GLOSSARY } from "../../../scripts/docs-lib/data/glossary.ts";
import { rooms } from "../../../scripts/lint/floors.ts";

const SOURCES = join(import.meta.dir, "../../../src");

test("the architecture lists every folder of each layer", () => {
  const known = rooms().map(({ path }) => path);
  const floors = new Set(rooms().map(({ floor }) => floor));
  const folders = [...floors].flatMap((floor) =>
    readdirSync(join(SOURCES, floor), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => `${floor}/${name}`),
  );
  expect(folders.filter((folder) => !known.includes(folder))).toEqual([]);
});

test("the glossary is sorted, with one line per word", () => {
  const words = GLOSSARY.map(({ word }) => word);
  expect(words).toEqual([...new Set(words)].sort());
  expect(GLOSSARY.filter(({ meaning }) => meaning === "" || /[\n|]/.test(meaning))).toEqual([]);
});
