import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { SERVED_FLOOR, WALKS } from "../../../scripts/docs-lib/data/layouts.ts";
import {
  layoutImports,
  layouts,
  stepsOf,
  walksThrough,
} from "../../../scripts/docs-lib/layouts.ts";
import { PICTURES } from "../../../scripts/docs-lib/pictures.ts";
import { NODE_SOURCE } from "../../../scripts/docs-lib/room-graph.ts";
import { FLOORS } from "../../../scripts/lint/floors.ts";

const ROOT = join(import.meta.dir, "../../..");

/** Section of `docs/walks.md` with a heading. */
function sectionOf(heading: string): string {
  const page = readFileSync(join(ROOT, "docs/walks.md"), "utf8");
  return page.split(`## ${heading}\n`)[1]?.split("\n## ")[0] ?? "";
}

describe("the layouts of the node", () => {
  test.each(WALKS)("the walk of $heading names the files of its page in their order", (walk) => {
    const section = sectionOf(walk.heading);
    let at = 0;
    for (const file of walk.files) {
      expect([file, existsSync(join(ROOT, "src", file))]).toEqual([file, true]);
      const next = section.indexOf(`(../src/${file})`, at);
      expect([file, next >= 0]).toEqual([file, true]);
      at = next + 1;
    }
  });

  test("each folder of the node serves a floor of the program", () => {
    const found = readdirSync(NODE_SOURCE.folder).filter((name) => !name.endsWith(".md"));
    expect(Object.keys(SERVED_FLOOR).toSorted()).toEqual(found.toSorted());
    for (const floor of Object.values(SERVED_FLOOR)) expect(Object.keys(FLOORS)).toContain(floor);
  });

  test("no file is without a room", () => {
    const files = readdirSync(NODE_SOURCE.folder, { recursive: true })
      .map(String)
      .filter((file) => file.endsWith(".ts"));
    for (const { name, roomOf } of layouts()) {
      expect([name, files.filter((file) => roomOf(file) === undefined)]).toEqual([name, []]);
    }
  });

  test("have as many steps back as their record says", () => {
    const record = readFileSync(join(ROOT, "docs/decisions/rooms-by-part.md"), "utf8");
    const rows = { part: "by part, before forks", thread: "by thread", floor: "by floor of the" };
    for (const layout of layouts()) {
      const row = rows[layout.name as keyof typeof rows];
      const line = record.split("\n").find((each) => each.startsWith(`| ${row}`)) ?? "";
      const recorded = line.split("|").slice(-7, -2).map(Number);
      const walks = walksThrough(layout, layoutImports(layout));
      expect([row, walks.map(({ stepsBack }) => stepsBack)]).toEqual([row, recorded]);
    }
  });

  test.each(PICTURES)("docs/$file is current: bun scripts/docs.ts writes it", ({ file, svg }) => {
    expect(readFileSync(join(ROOT, "docs", file), "utf8") === svg()).toBe(true);
  });
});

describe("stepsOf", () => {
  const height = (room: string): number => Number(room);

  test("counts no ascent before the data has gone down", () => {
    expect(stepsOf(["1", "3", "4"], height).stepsBack).toBe(0);
  });

  test("counts an ascent over several rooms once", () => {
    const { steps, stepsBack } = stepsOf(["3", "1", "2", "4", "2", "3"], height);
    expect(stepsBack).toBe(2);
    expect(steps.map(({ isBack }) => isBack)).toEqual([false, false, true, true, false, true]);
  });
});
