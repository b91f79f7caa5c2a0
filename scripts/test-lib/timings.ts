import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import type { FileCost } from "./file-costs.ts";
import { ROOT } from "./run.ts";

/** Folder in which `bun test` stores the time of each file; the next run starts with the slowest. */
const FOLDER = join(ROOT, "build/timings");

/**
 * Slow files, in milliseconds: without measurements they start first, so that a run does not end with a
 * single slow file.
 */
const KNOWN: Readonly<Record<string, number>> = {
  "test/e2e/attacks-fences.test.ts": 90_000,
  "test/e2e/attacks-gateways.test.ts": 63_000,
  "test/e2e/attacks-untimed.test.ts": 85_000,
  "test/e2e/attacks-waiting.test.ts": 64_000,
  "test/e2e/readme.test.ts": 90_000,
  "test/e2e/attacks-large.test.ts": 26_000,
  "test/e2e/attacks-keeping.test.ts": 24_000,
  "test/e2e/explorer-page.test.ts": 58_000,
  "test/e2e/bootstrap.test.ts": 46_000,
  "test/e2e/fork-methods.test.ts": 38_000,
  "test/e2e/fork-move.test.ts": 37_000,
  "test/e2e/fork-files.test.ts": 37_000,
  "test/e2e/explorer-hostile.test.ts": 34_000,
  "test/e2e/fork-equality.test.ts": 29_000,
  "test/e2e/explorer-page-load.test.ts": 24_000,
  "test/e2e/explorer.test.ts": 23_000,
  "test/e2e/fork-clients.test.ts": 15_000,
  "test/e2e/fork-endpoints.test.ts": 13_000,
  "test/e2e/l1-settle.test.ts": 14_000,
  "test/e2e/devnet-system-classes.test.ts": 18_000,
  "test/e2e/snapshot.test.ts": 16_000,
  "test/e2e/class.test.ts": 14_000,
  "test/e2e/clients.test.ts": 13_000,
  "test/e2e/postman.test.ts": 13_000,
  "test/e2e/sync-reorg.test.ts": 45_000,
  "test/e2e/sync-gateways.test.ts": 38_000,
  "test/e2e/sync-refusals.test.ts": 30_000,
  "test/e2e/devnet-dump.test.ts": 27_000,
  "test/e2e/devnet-revert.test.ts": 26_000,
  "test/e2e/rejoining.test.ts": 26_000,
  "test/e2e/replay.test.ts": 25_000,
  "test/e2e/strict-follower.test.ts": 22_000,
  "test/e2e/publish-gate.test.ts": 22_000,
  "test/e2e/fleet-websocket.test.ts": 22_000,
  "test/e2e/snapshot-followed.test.ts": 22_000,
  "test/e2e/full-node.test.ts": 21_000,
  "test/e2e/fatal-transaction.test.ts": 21_000,
  "test/e2e/l1-reorgs.test.ts": 21_000,
  "test/unit/engine/sierra/contract/hostile-classes.test.ts": 20_000,
  "test/e2e/follow-bundles.test.ts": 20_000,
  "test/e2e/snapshot-standby.test.ts": 20_000,
  "test/e2e/failover.test.ts": 19_000,
  "test/e2e/sync-losses.test.ts": 19_000,
  "test/e2e/l1.test.ts": 19_000,
  "test/e2e/l1-faults.test.ts": 18_000,
  "test/e2e/first-minutes.test.ts": 18_000,
  "test/e2e/free-transactions.test.ts": 17_000,
  "test/e2e/replay-hostile.test.ts": 16_000,
  "test/e2e/websocket.test.ts": 16_000,
  "test/e2e/stop.test.ts": 16_000,
  "test/e2e/fatal-block.test.ts": 15_000,
  "test/e2e/forwarded-again.test.ts": 15_000,
  "test/e2e/production.test.ts": 15_000,
  "test/e2e/devnet-settings.test.ts": 15_000,
  "test/e2e/declare-life.test.ts": 13_000,
  "test/unit/app/cli/replay/run-replay.test.ts": 12_000,
  "test/unit/app/node/compiler/real-process.test.ts": 12_000,
  "test/e2e/declare.test.ts": 11_000,
  "test/unit/services/replay/replay-block.test.ts": 10_000,
  "test/unit/services/sequencer/migrated-classes.test.ts": 9_000,
  "test/unit/io/feeder/client/hostile-gateway.test.ts": 9_000,
  "test/unit/api/rpc/http/slow-clients.test.ts": 9_000,
  "test/unit/services/maintenance/check-chain.test.ts": 9_000,
  "test/spec/oracle.test.ts": 9_000,
  "test/spec/openrpc-schemas.test.ts": 9_000,
  "test/unit/app/node/node.test.ts": 8_000,
  "test/unit/io/storage/rebuild-tries.test.ts": 7_000,
  "test/unit/services/sync/execution/execute-block-again.test.ts": 7_000,
  "test/spec/oracle-shortcuts.test.ts": 7_000,
  "test/unit/services/sequencer/declared-classes.test.ts": 6_000,
  "test/unit/services/replay/trace-lies.test.ts": 6_000,
  "test/spec/sierra-golden.test.ts": 6_000,
  "test/unit/services/replay/lies.test.ts": 5_000,
};

/**
 * File with the timings of a stage, which `bun test` reads and writes.
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

/** Cost of a test file. */
export interface FileTime {
  readonly file: string;
  readonly seconds: number;
  /** Processor time, with that of its processes; `undefined` if it was not measured. */
  readonly cpuSeconds: number | undefined;
}

/** A group of test files that was run. */
export interface TimedGroup {
  /** As {@link timingsPath}. Also has files of earlier runs. */
  readonly path: string;
  /** File of {@link FileCost} lines of this run. */
  readonly costsPath: string;
  /** Files that this run had. */
  readonly files: ReadonlySet<string>;
}

/** Empty file for the processor times of a run, next to its timings. */
export function emptyCosts(timings: string): string {
  const path = timings.replace(/\.json$/, ".costs.jsonl");
  writeFileSync(path, "");
  return path;
}

/** The files of these groups with the highest costs, the slowest first. */
export function slowestFiles(groups: readonly TimedGroup[], most: number): readonly FileTime[] {
  return groups
    .filter(({ path }) => existsSync(path))
    .flatMap(({ path, costsPath, files: ran }) => {
      const { files } = JSON.parse(readFileSync(path, "utf8")) as {
        files: Readonly<Record<string, number>>;
      };
      const costs = cpuMsByFile(costsPath);
      return Object.entries(files)
        .filter(([file]) => ran.has(file))
        .map(([file, ms]) => {
          const cpuMs = costs.get(file);
          return {
            file,
            seconds: ms / 1000,
            cpuSeconds: cpuMs === undefined ? undefined : cpuMs / 1000,
          };
        });
    })
    .sort((left, right) => right.seconds - left.seconds)
    .slice(0, most);
}

/** Processor time in milliseconds by test file, relative to the repository. */
function cpuMsByFile(path: string): ReadonlyMap<string, number> {
  const byFile = new Map<string, number>();
  if (!existsSync(path)) return byFile;
  for (const line of readFileSync(path, "utf8").split("\n")) {
    if (line === "") continue;
    const cost = JSON.parse(line) as FileCost;
    const file = relative(ROOT, cost.path);
    byFile.set(file, (byFile.get(file) ?? 0) + cost.ownMs + cost.childrenMs);
  }
  return byFile;
}
