import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./run.ts";

/** Where `bun test` keeps how long each file took; the slowest start first the next time. */
const FOLDER = join(ROOT, "build/timings");

/** What `bun test` reads and writes of a stage. */
export function timingsPath(stage: string): string {
  return join(FOLDER, `${stage}.json`);
}

/** A test file and what it took. */
export interface FileTime {
  readonly file: string;
  readonly seconds: number;
}

/** The slowest files of these stages, the slowest first. */
export function slowestFiles(paths: readonly string[], most: number): readonly FileTime[] {
  return paths
    .filter((path) => existsSync(path))
    .flatMap((path) => {
      const { files } = JSON.parse(readFileSync(path, "utf8")) as {
        files: Readonly<Record<string, number>>;
      };
      return Object.entries(files)
        .filter(([file]) => existsSync(join(ROOT, file)))
        .map(([file, ms]) => ({ file, seconds: ms / 1000 }));
    })
    .sort((left, right) => right.seconds - left.seconds)
    .slice(0, most);
}
