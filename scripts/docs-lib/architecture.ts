import { existsSync } from "node:fs";
import { join } from "node:path";
import { rooms } from "../lint/floors.ts";
import { code, table } from "./markdown.ts";
import { ROOMS } from "./rooms.ts";

const SOURCES = join(import.meta.dir, "../../src");

/** Rooms by floor, the lowest first, with what belongs into each and what does not. */
export function levelTable(): string {
  const rows = rooms().map(({ floor, name, path }) => {
    const { owns, doesNotOwn } = ROOMS[name as keyof typeof ROOMS];
    const missing = existsSync(join(SOURCES, path)) ? "" : " (not built yet)";
    return [code(floor), `${code(name)}${missing}`, owns, doesNotOwn];
  });
  return table(["floor", "room", "owns", "does not own"], rows);
}
