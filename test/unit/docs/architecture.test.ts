import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DEVNET } from "#app/node/threads/roles/devnet.ts";
import { FULL_NODE } from "#app/node/threads/roles/full-node.ts";
import { SEQUENCER } from "#app/node/threads/roles/sequencer.ts";
import { STANDBY } from "#app/node/threads/roles/standby.ts";
import { GLOSSARY } from "../../../scripts/docs-lib/data/glossary.ts";
import { architecturePicture } from "../../../scripts/docs-lib/picture/architecture.ts";
import { threadBoxOf } from "../../../scripts/docs-lib/picture/role-panel.ts";
import { wrapped, xmlText } from "../../../scripts/docs-lib/picture/svg.ts";
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

describe("the picture of the architecture", () => {
  const picture = architecturePicture();

  test("is the one in docs/images: bun scripts/docs.ts writes it", () => {
    const file = join(SOURCES, "../docs/images/architecture.svg");
    expect(readFileSync(file, "utf8") === picture).toBe(true);
  });

  test("has an arrow for each connection of its two roles, which have all plans of threads", () => {
    const edges = [...SEQUENCER.threads.edges, ...FULL_NODE.threads.edges];
    expect(picture.match(/class="edge" d=/g)).toHaveLength(edges.length);
    expect([DEVNET.threads, STANDBY.threads]).toEqual([SEQUENCER.threads, FULL_NODE.threads]);
  });

  test("has no two threads of a role at the same place", () => {
    for (const { threads } of [SEQUENCER, FULL_NODE]) {
      const places = threads.start.flat().map((kind) => {
        const { column, row } = threadBoxOf(kind);
        return `${column} ${row}`;
      });
      expect(new Set(places).size).toBe(places.length);
    }
  });

  test("escapes text and breaks it into lines", () => {
    expect(xmlText("a < b & c > d")).toBe("a &lt; b &amp; c &gt; d");
    expect(wrapped("one two three", 8)).toEqual(["one two", "three"]);
    expect(wrapped("unbreakable", 4)).toEqual(["unbreakable"]);
  });
});
