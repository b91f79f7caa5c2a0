import { describe, expect, test } from "bun:test";
import {
  floorOf,
  importsOf,
  necessaryArrows,
  NODE_SOURCE,
  PROGRAM_SOURCE,
  roomGraph,
} from "../../../scripts/docs-lib/room-graph.ts";

describe("src/app/node", () => {
  const all = roomGraph(NODE_SOURCE);

  test("has at most 18 rooms", () => {
    expect(all.size).toBeLessThanOrEqual(18);
  });

  test("has at most 8 floors, and no circle of rooms", () => {
    const tooHigh = [...all.keys()].filter((room) => floorOf(all, room) > 8);
    expect(tooHigh).toEqual([]);
  });

  test("has at most 75 arrows between its rooms", () => {
    const list = [...all].flatMap(([room, targets]) =>
      [...targets].map((to) => `${room} -> ${to}`),
    );
    expect(list).toContain("replication -> production");
    expect(list.length).toBeLessThanOrEqual(75);
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
    expect(importsOf("l1/part.ts", text, "#app/node/")).toEqual([
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

describe("necessaryArrows", () => {
  test("omits arrows that follow from two or three others", () => {
    const all = new Map([
      ["a", new Set(["b", "c", "d"])],
      ["b", new Set(["c"])],
      ["c", new Set(["d"])],
      ["d", new Set<string>()],
    ]);
    expect(necessaryArrows(all)).toEqual([
      ["a", "b"],
      ["b", "c"],
      ["c", "d"],
    ]);
  });
});

describe("PROGRAM_SOURCE", () => {
  test("names rooms by floor, and skips files that are in no room", () => {
    expect(PROGRAM_SOURCE.roomOf("io/l1/source/options.ts")).toBe("io/l1");
    expect(PROGRAM_SOURCE.roomOf("io/README.md")).toBeUndefined();
  });
});
