import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { FLOORS } from "../lint/floors.ts";
import { SERVED_FLOOR, WALKS } from "./data/layouts.ts";
import { floorOf, importsOf, NODE_SOURCE, type RoomGraph, roomGraph } from "./room-graph.ts";

/** A way to divide `src/app/node` into rooms. */
export interface Layout {
  /** Name of the layout in the record and in the file of its picture. */
  readonly name: string;
  readonly title: string;
  /** Room of a file, by its path in `src/app/node`. */
  readonly roomOf: (file: string) => string | undefined;
}

/** The layout that was kept, and two others that were not built. */
export function layouts(): readonly Layout[] {
  const threadOf = threadsOfFiles();
  return [
    {
      name: "part",
      title: "Rooms by part: the layout of src/app/node",
      roomOf: NODE_SOURCE.roomOf,
    },
    {
      name: "thread",
      title: "Rooms by thread: not built",
      roomOf: (file) => threadOf.get(file) ?? "shared",
    },
    {
      name: "floor",
      title: "Rooms by floor of the program: not built",
      roomOf: (file) => SERVED_FLOOR[file.split("/")[0] ?? ""],
    },
  ];
}

/** Imports between the rooms of a layout. */
export interface LayoutImports {
  /** All imports but {@link upward}. */
  readonly graph: RoomGraph;
  /** Imports that close a circle. Of two rooms that import each other, the one listed first is lower. */
  readonly upward: readonly (readonly [from: string, to: string])[];
}

/** Reads which rooms of a layout import each other. */
export function layoutImports({ roomOf }: Layout): LayoutImports {
  const all = roomGraph({ ...NODE_SOURCE, roomOf });
  const order = Object.keys(FLOORS);
  const upward = [...all].flatMap(([from, targets]) =>
    [...targets]
      .filter((to) => all.get(to)?.has(from) === true && order.indexOf(to) > order.indexOf(from))
      .map((to) => [from, to] as const),
  );
  const isUpward = (from: string, to: string): boolean =>
    upward.some((arrow) => arrow[0] === from && arrow[1] === to);
  const graph = [...all].map(([from, targets]) => {
    return [from, new Set([...targets].filter((to) => !isUpward(from, to)))] as const;
  });
  return { graph: new Map(graph), upward };
}

/** A step of a walk. */
export interface WalkStep {
  /** Room of `src/app/node` in the layout, or `floor/room` of `src`. */
  readonly room: string;
  /** Whether the step leads to a higher floor after the data has gone down. */
  readonly isBack: boolean;
}

/** A walk of `docs/walks.md` through the rooms of a layout. */
export interface Walk {
  readonly heading: string;
  readonly steps: readonly WalkStep[];
  /** Ascents after the data has gone down; an ascent may lead over several rooms. */
  readonly stepsBack: number;
}

const NODE = "app/node/";

/** The five walks through the rooms of a layout. */
export function walksThrough(layout: Layout, { graph }: LayoutImports): readonly Walk[] {
  return WALKS.map(({ heading, files }) => {
    const rooms = files.map((file) => {
      if (file.startsWith(NODE)) return layout.roomOf(file.slice(NODE.length)) ?? "";
      return file.split("/").slice(0, 2).join("/");
    });
    const path = rooms.filter((room, i) => room !== rooms[i - 1]);
    return { heading, ...stepsOf(path, (room) => heightOf(room, graph)) };
  });
}

/** Finds the steps back of a walk. @param height - of a room; a higher room imports lower ones */
export function stepsOf(
  path: readonly string[],
  height: (room: string) => number,
): Pick<Walk, "steps" | "stepsBack"> {
  let hasDescended = false;
  let isAscending = false;
  let stepsBack = 0;
  const steps = path.map((room, i): WalkStep => {
    const before = path[i - 1];
    const rise = before === undefined ? 0 : height(room) - height(before);
    if (rise < 0) hasDescended = true;
    const isBack = hasDescended && rise > 0;
    if (isBack && !isAscending) stepsBack++;
    isAscending = isBack;
    return { room, isBack };
  });
  return { steps, stepsBack };
}

/** Height of a room: its floor in `src`; those of `src/app/node` are above all others. */
function heightOf(room: string, graph: RoomGraph): number {
  const floors = Object.keys(FLOORS);
  if (graph.has(room)) return floors.length + floorOf(graph, room);
  return floors.indexOf(room.split("/")[0] ?? "");
}

/** The only thread that reaches a file by imports; files that several threads reach are missing. */
function threadsOfFiles(): ReadonlyMap<string, string> {
  const { folder, alias } = NODE_SOURCE;
  const files = readdirSync(folder, { recursive: true }).map(String);
  const sources = new Map(
    files
      .filter((file) => file.endsWith(".ts"))
      .map((file) => [file, readFileSync(join(folder, file), "utf8")] as const),
  );
  const entries = [...sources.keys()].flatMap((file) => {
    const kind = /([\w-]+)\.thread\.ts$/.exec(file)?.[1];
    return kind === undefined ? [] : [[kind, file] as const];
  });
  const found = new Map<string, string>();
  for (const [thread, entry] of [["main", "index.ts"] as const, ...entries]) {
    const reached = new Set([entry]);
    for (const file of reached) {
      for (const target of importsOf(file, sources.get(file) ?? "", alias)) reached.add(target);
    }
    for (const file of reached) found.set(file, found.has(file) ? "shared" : thread);
  }
  return found;
}
