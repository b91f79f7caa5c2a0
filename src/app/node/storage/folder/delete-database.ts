import { rmSync } from "node:fs";
import { join } from "node:path";
import { DATABASE_SUFFIXES } from "./own-files.ts";

/** Deletes a database, with the files that SQLite creates next to it. @param suffixes - of what is deleted */
export function deleteDatabase(
  folder: string,
  name: string,
  suffixes: readonly string[] = DATABASE_SUFFIXES,
): void {
  for (const suffix of suffixes) rmSync(join(folder, name + suffix), { force: true });
}
