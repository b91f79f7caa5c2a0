import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus, loadavg } from "node:os";
import { join, resolve } from "node:path";
import type { MeasuredRow } from "./results.ts";
import type { Group } from "./rows.ts";

const ROOT = resolve(import.meta.dir, "../../..");

/** File with the figures of docs/benchmarks.md, relative to the repository root. */
const FIGURES = "scripts/docs-lib/data/bench-compare.json";

/** Absolute path of {@link FIGURES}. */
export const SAVED_RUNS: string = join(ROOT, FIGURES);

/** Figures of a group with the machine on which they were measured. */
export interface SavedGroup {
  readonly machine: string;
  readonly rows: readonly MeasuredRow[];
}

/** All saved groups. */
export type SavedRuns = Partial<Record<Group, SavedGroup>>;

/** Runs git in this repository. @returns its output, and whether it exited with 0 */
function git(...words: readonly string[]): { readonly text: string; readonly isZero: boolean } {
  const run = Bun.spawnSync(["git", "-C", ROOT, ...words]);
  return { text: run.stdout.toString().trim(), isZero: run.exitCode === 0 };
}

/**
 * The measured commit; with the suffix `-dirty` if tracked files differ from it, except the saved
 * figures, which an earlier group may have changed.
 */
function measuredCommit(): string {
  const { text } = git("rev-parse", "--short=8", "HEAD");
  const isClean = git("diff", "--quiet", "HEAD", "--", ".", `:(exclude)${FIGURES}`).isZero;
  return isClean ? text : `${text}-dirty`;
}

/** Machine, commit, rounds and the load at the start of the run. */
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

/** Saves the figures of a group, replacing earlier ones. */
export function saveRun(group: Group, machine: string, rows: readonly MeasuredRow[]): void {
  const saved = existsSync(SAVED_RUNS)
    ? (JSON.parse(readFileSync(SAVED_RUNS, "utf8")) as SavedRuns)
    : ({} satisfies SavedRuns);
  writeFileSync(
    SAVED_RUNS,
    `${JSON.stringify({ ...saved, [group]: { machine, rows } }, null, 1)}\n`,
  );
}
