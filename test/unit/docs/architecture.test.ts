import { describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { DEVNET } from "#app/node/threads/roles/devnet.ts";
import { FULL_NODE } from "#app/node/threads/roles/full-node.ts";
import { SEQUENCER } from "#app/node/threads/roles/sequencer.ts";
import { STANDBY } from "#app/node/threads/roles/standby.ts";
import { GLOSSARY } from "../../../scripts/docs-lib/data/glossary.ts";
import { architecturePicture } from "../../../scripts/docs-lib/picture/architecture.ts";
import { threadBoxOf } from "../../../scripts/docs-lib/picture/role-panel.ts";
import { threadsPicture } from "../../../scripts/docs-lib/picture/threads.ts";
import { wrapped, xmlText } from "../../../scripts/docs-lib/picture/svg.ts";
import { floorGraph } from "../../../scripts/docs-lib/picture/floors-panel.ts";
import { layered } from "../../../scripts/docs-lib/picture/layers.ts";
import {
  necessaryArrows,
  NODE_SOURCE,
  PROGRAM_SOURCE,
  roomGraph,
} from "../../../scripts/docs-lib/room-graph.ts";
import { FLOORS, rooms } from "../../../scripts/lint/floors.ts";

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

/** Number of arrowheads in a picture. */
const arrowheads = (picture: string): number => picture.match(/marker-end/g)?.length ?? 0;

describe("the picture of the architecture", () => {
  const picture = architecturePicture();
  const program = roomGraph(PROGRAM_SOURCE);

  test("has a box for each room of the node and of the program", () => {
    const names = [...picture.matchAll(/class="(?:name|mono) middle"[^>]*>([^<]+)</g)].map(
      ([, name = ""]) => name,
    );
    const expected = [
      ...roomGraph(NODE_SOURCE).keys(),
      ...Object.keys(FLOORS),
      ...Object.values(FLOORS).flat(),
    ];
    expect(names.toSorted()).toEqual(expected.toSorted());
  });

  test("has an arrow for each import that does not follow from others", () => {
    const floors = floorGraph(program);
    const within = rooms().flatMap(({ path, floor }) => {
      const targets = [...(program.get(path) ?? [])];
      return [[path, new Set(targets.filter((to) => to.startsWith(`${floor}/`)))]] as const;
    });
    const drawn = [roomGraph(NODE_SOURCE), floors, new Map(within)].flatMap(necessaryArrows);
    expect(arrowheads(picture)).toBe(drawn.length);
  });

  test("shows that each floor imports the next one below it", () => {
    const names = Object.keys(FLOORS);
    const steps = names.slice(1).map((name, i) => `${name} -> ${names[i]}`);
    const found = necessaryArrows(floorGraph(program)).map((arrow) => arrow.join(" -> "));
    expect(found.toSorted()).toEqual(steps.toSorted());
  });
});

describe("layered", () => {
  const { rows, paths } = layered(
    {
      rows: [["a"], ["b", "c"], ["d"]],
      arrows: [
        ["a", "b"],
        ["a", "d"],
        ["c", "d"],
      ],
      widthOf: () => 40,
    },
    { left: 10, width: 300 },
  );

  test("leads an arrow through a slot of each layer that it skips", () => {
    const [, [from, lane, to] = []] = paths;
    expect([from, to]).toEqual(["a", "d"]);
    expect(rows.map((row) => row.length)).toEqual([1, 3, 1]);
    expect(rows[1]?.map(({ name }) => name)).toContain(lane);
  });

  test("keeps slots apart, and inside of the area", () => {
    for (const row of rows) {
      const edges = row.flatMap(({ x, width }) => [x - width / 2, x + width / 2]);
      expect(edges).toEqual(edges.toSorted((a, b) => a - b));
      expect(Math.min(...edges)).toBeGreaterThanOrEqual(10);
      expect(Math.max(...edges)).toBeLessThanOrEqual(310);
    }
  });
});

describe("the picture of the threads", () => {
  test("has an arrow for each connection of its two roles, which have all plans of threads", () => {
    const edges = [...SEQUENCER.threads.edges, ...FULL_NODE.threads.edges];
    expect(arrowheads(threadsPicture())).toBe(edges.length);
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
});

describe("the text of a picture", () => {
  test("is escaped and broken into lines", () => {
    expect(xmlText("a < b & c > d")).toBe("a &lt; b &amp; c &gt; d");
    expect(wrapped("one two three", 8)).toEqual(["one two", "three"]);
    expect(wrapped("unbreakable", 4)).toEqual(["unbreakable"]);
  });
});
