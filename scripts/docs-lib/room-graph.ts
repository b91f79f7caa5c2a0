import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

/** Rooms that each room imports; the rooms in alphabetical order. */
export type RoomGraph = ReadonlyMap<string, ReadonlySet<string>>;

/** A folder of sources, and what its rooms are. */
export interface RoomSource {
  /** Path of the folder. */
  readonly folder: string;
  /** Start of an import from anywhere that leads into the folder: `#app/node/`. */
  readonly alias: string;
  /** Room of a file, by its path in the folder; `undefined` for a file outside of all rooms. */
  readonly roomOf: (file: string) => string | undefined;
}

const SOURCES = join(import.meta.dir, "../../src");

/** The node: its rooms are the folders of `src/app/node`, and the files next to these. */
export const NODE_SOURCE: RoomSource = {
  folder: join(SOURCES, "app/node"),
  alias: "#app/node/",
  roomOf: (file) => file.split("/")[0],
};

/** The program: its rooms are the folders of each floor of `src`, named `floor/room`. */
export const PROGRAM_SOURCE: RoomSource = {
  folder: SOURCES,
  alias: "#",
  roomOf(file) {
    const [floor, room, ...rest] = file.split("/");
    return rest.length > 0 ? `${floor}/${room}` : undefined;
  },
};

/** Reads all sources of a folder, and returns which room imports which. */
export function roomGraph({ folder, alias, roomOf }: RoomSource): RoomGraph {
  const found = new Map<string, Set<string>>();
  for (const file of readdirSync(folder, { recursive: true }).map(String).sort()) {
    const room = file.endsWith(".ts") ? roomOf(file) : undefined;
    if (room === undefined) continue;
    const targets = found.get(room) ?? new Set();
    found.set(room, targets);
    for (const target of importsOf(file, readFileSync(join(folder, file), "utf8"), alias)) {
      const other = roomOf(target);
      if (other !== undefined && other !== room) targets.add(other);
    }
  }
  return found;
}

/** Files of a folder that a file of it imports, relative to that folder. */
export function importsOf(file: string, text: string, alias: string): readonly string[] {
  return [...text.matchAll(/(?:from|import\() ?"([^"]+)"/g)].flatMap(([, path = ""]) => {
    if (path.startsWith(alias)) return [path.slice(alias.length)];
    const target = path.startsWith(".") ? normalize(join(dirname(file), path)) : "..";
    return target.startsWith("..") ? [] : [target];
  });
}

/**
 * Floor of a room in a graph: 1 if it imports no other room, otherwise one above the highest room that it
 * imports. `Infinity` if it imports itself in a circle.
 */
export function floorOf(all: RoomGraph, room: string, above: readonly string[] = []): number {
  if (above.includes(room)) return Infinity;
  const below = [...(all.get(room) ?? [])].map((target) => floorOf(all, target, [...above, room]));
  return 1 + Math.max(0, ...below);
}

/**
 * Arrows of a graph without those that follow from others: of `a -> b`, `b -> c` and `a -> c`, the last one is
 * omitted. The graph has no circles.
 */
export function necessaryArrows(all: RoomGraph): readonly (readonly [from: string, to: string])[] {
  return [...all].flatMap(([room, targets]) => {
    const implied = new Set([...targets].flatMap((target) => [...reached(all, target)]));
    return [...targets].filter((target) => !implied.has(target)).map((to) => [room, to] as const);
  });
}

/** Rooms below a room: those that it imports, those that these import, and so on. */
function reached(all: RoomGraph, room: string): ReadonlySet<string> {
  const direct = [...(all.get(room) ?? [])];
  return new Set(direct.flatMap((target) => [target, ...reached(all, target)]));
}
