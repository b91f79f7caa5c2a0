import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./run.ts";

/** Where `bun test` keeps how long each file took; the slowest start first the next time. */
const FOLDER = join(ROOT, "build/timings");

/**
 * Files that take long, in milliseconds: where nothing was measured yet they start first, so that none is
 * waited for alone at the end.
 */
const KNOWN: Readonly<Record<string, number>> = {
  "test/e2e/exhaustion.test.ts": 80_000,
  "test/e2e/attacks-waiting.test.ts": 90_000,
  "test/e2e/followed.test.ts": 70_000,
  "test/e2e/sync-gateways.test.ts": 50_000,
  "test/e2e/sync-reorg.test.ts": 50_000,
  "test/e2e/readme.test.ts": 40_000,
  "test/e2e/devnet-dump.test.ts": 25_000,
  "test/e2e/mempool-restart.test.ts": 25_000,
  "test/e2e/db-kill.test.ts": 20_000,
  "test/e2e/rpc-fuzz.test.ts": 20_000,
  "test/spec/oracle.test.ts": 30_000,
  "test/spec/openrpc-schemas.test.ts": 15_000,
  "test/unit/contracts/artifacts.test.ts": 10_000,
  "test/unit/engine/execution/cancel.test.ts": 10_000,
  "test/unit/app/node/compiler/real-process.test.ts": 10_000,
};

/**
 * What `bun test` reads and writes of a stage.
 *
 * @param places - the files and folders that the stage runs
 */
export function timingsPath(stage: string, places: readonly string[]): string {
  const path = join(FOLDER, `${stage}.json`);
  if (!existsSync(path)) {
    const known = Object.entries(KNOWN).filter(([file]) =>
      places.some((place) => file.startsWith(place)),
    );
    mkdirSync(FOLDER, { recursive: true });
    writeFileSync(path, JSON.stringify({ version: 1, files: Object.fromEntries(known) }));
  }
  return path;
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
