import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

const NODE = join(import.meta.dir, "../../../src/app/node");

/** Rooms that each room imports. */
type Arrows = ReadonlyMap<string, ReadonlySet<string>>;

/** A folder of `src/app/node`, or a file next to these. */
const roomOf = (file: string): string => file.split("/")[0] ?? file;

/** Files of `src/app/node` that a file imports, relative to that folder. */
function importsOf(file: string, text: string): readonly string[] {
  return [...text.matchAll(/(?:from|import\() ?"([^"]+)"/g)].flatMap(([, path = ""]) => {
    if (path.startsWith("#app/node/")) return [path.slice("#app/node/".length)];
    const target = path.startsWith(".") ? normalize(join(dirname(file), path)) : "..";
    return target.startsWith("..") ? [] : [target];
  });
}

function arrows(): Arrows {
  const found = new Map<string, Set<string>>();
  for (const file of readdirSync(NODE, { recursive: true }).map(String)) {
    if (!file.endsWith(".ts")) continue;
    const room = roomOf(file);
    const targets = found.get(room) ?? new Set();
    found.set(room, targets);
    for (const target of importsOf(file, readFileSync(join(NODE, file), "utf8"))) {
      if (roomOf(target) !== room) targets.add(roomOf(target));
    }
  }
  return found;
}

/** Depth of a room in the graph: 1 if it imports no other room. `Infinity` if it imports itself in a circle. */
function floorOf(all: Arrows, room: string, above: readonly string[] = []): number {
  if (above.includes(room)) return Infinity;
  const below = [...(all.get(room) ?? [])].map((target) => floorOf(all, target, [...above, room]));
  return 1 + Math.max(0, ...below);
}

describe("src/app/node", () => {
  const all = arrows();

  test("has at most 17 rooms", () => {
    expect(all.size).toBeLessThanOrEqual(17);
  });

  test("has at most 8 floors, and no circle of rooms", () => {
    const tooHigh = [...all.keys()].filter((room) => floorOf(all, room) > 8);
    expect(tooHigh).toEqual([]);
  });

  test("has at most 74 arrows between its rooms", () => {
    const list = [...all].flatMap(([room, targets]) =>
      [...targets].map((to) => `${room} -> ${to}`),
    );
    expect(list).toContain("replication -> production");
    expect(list.length).toBeLessThanOrEqual(74);
  });
});

describe("importsOf", () => {
  test("finds imports within the node, by either spelling", () => {
    const text = [
      'import { a } from "./b.ts";',
      'export type { c } from "../sync/d.ts";',
      'import type { e } from "#app/node/setup/f.ts";',
      'const g = await import("../query/h.ts");',
      'import { i } from "../../options/index.ts";',
      'import { j } from "#base/errors/index.ts";',
    ].join("\n");
    expect(importsOf("l1/part.ts", text)).toEqual([
      "l1/b.ts",
      "sync/d.ts",
      "setup/f.ts",
      "query/h.ts",
    ]);
  });
});

describe("floorOf", () => {
  test("counts the longest way down", () => {
    const all = new Map([
      ["a", new Set(["b", "c"])],
      ["b", new Set(["c"])],
      ["c", new Set<string>()],
    ]);
    expect(["a", "b", "c"].map((room) => floorOf(all, room))).toEqual([3, 2, 1]);
  });

  test("has no limit in a circle", () => {
    const all = new Map([
      ["a", new Set(["b"])],
      ["b", new Set(["a"])],
    ]);
    expect(floorOf(all, "a")).toBe(Infinity);
  });
});
