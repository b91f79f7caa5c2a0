import { existsSync } from "node:fs";
import { join } from "node:path";
import { LEVELS } from "../lint/config.ts";
import { FOLDERS } from "./folders.ts";
import { code, MarkerError, table } from "./markdown.ts";

const SOURCES = join(import.meta.dir, "../../src");

/** Folders by level, the lowest first, with what belongs into each and what does not. */
export function levelTable(): string {
  const rows = LEVELS.flatMap((folders, level) =>
    folders.map((folder) => {
      const entry = FOLDERS[folder];
      if (entry === undefined) throw new MarkerError(`scripts/docs-lib/folders.ts lacks ${folder}`);
      const missing = existsSync(join(SOURCES, folder)) ? "" : " (not built yet)";
      return [String(level), `${code(folder)}${missing}`, entry.owns, entry.doesNotOwn];
    }),
  );
  return table(["level", "folder", "owns", "does not own"], rows);
}
