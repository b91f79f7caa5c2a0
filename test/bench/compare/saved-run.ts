import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus, loadavg } from "node:os";
import { join, resolve } from "node:path";
import type { MeasuredRow } from "./results.ts";
import type { Group } from "./rows.ts";

const ROOT = resolve(import.meta.dir, "../../..");

/** Where the figures of docs/benchmarks.md are kept, from the root of the repository. */
const FIGURES = "scripts/docs-lib/data/bench-compare.json";

/** The same, as a path of this machine. */
export const SAVED_RUNS: string = join(ROOT, FIGURES);

/** Figures of a group with the machine that they are of. */
export interface SavedGroup {
  readonly machine: string;
  readonly rows: readonly MeasuredRow[];
}

/** All groups that were ever kept. */
export type SavedRuns = Partial<Record<Group, SavedGroup>>;

/** What git prints about this repository, and whether it ended with 0. */
function git(...words: readonly string[]): { readonly text: string; readonly isZero: boolean } {
  const run = Bun.spawnSync(["git", "-C", ROOT, ...words]);
  return { text: run.stdout.toString().trim(), isZero: run.exitCode === 0 };
}

/**
 * The commit that is measured; `-dirty` behind it when files that git knows differ from it, other than
 * the figures themselves, which a group before this one may have changed.
 */
function measuredCommit(): string {
  const { text } = git("rev-parse", "--short=8", "HEAD");
  const isClean = git("diff", "--quiet", "HEAD", "--", ".", `:(exclude)${FIGURES}`).isZero;
  return isClean ? text : `${text}-dirty`;
}

/** Machine, commit, rounds and what else kept the machine busy when the run began. */
export function machineLine(rounds: number): string {
  const load = (loadavg()[0] ?? 0).toFixed(1);
  return [
    `${availableParallelism()} cores, ${cpus()[0]?.model ?? "unknown"}`,
    `${process.platform} ${process.arch}, Bun ${Bun.version}`,
    `commit ${measuredCommit()}`,
    `medians of ${rounds} rounds, least to most`,
    `load before ${load}`,
  ].join("; ");
}

/** Keeps the figures of a group in place of those that were kept of it before. */
export function saveRun(group: Group, machine: string, rows: readonly MeasuredRow[]): void {
  const saved = existsSync(SAVED_RUNS)
    ? (JSON.parse(readFileSync(SAVED_RUNS, "utf8")) as SavedRuns)
    : ({} satisfies SavedRuns);
  writeFileSync(
    SAVED_RUNS,
    `${JSON.stringify({ ...saved, [group]: { machine, rows } }, null, 1)}\n`,
  );
}
