import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Git } from "../git.ts";

/** File that records the last full run, from the root of the repository. */
export const FULL_RUN_FILE = "test/full-run.json";

/** The last full run that passed. */
export interface FullRun {
  /** Commit that was tested. */
  readonly commit: string;
  /** Day of the run, as `YYYY-MM-DD`. */
  readonly date: string;
  /** Tests and checks that passed. */
  readonly passed: number;
}

/** Sources whose changes demand a full run: code that must be exact, or must not lose a block. */
const DEMANDING = ["src/kernels/", "src/engine/", "src/io/storage/"];

/** Commits after which a full run is due in any case. */
const MAX_COMMITS = 100;

/** Reads the record. @returns `undefined` without a valid record */
export function readFullRun(root: string): FullRun | undefined {
  const path = join(root, FULL_RUN_FILE);
  if (!existsSync(path)) return undefined;
  try {
    const record = JSON.parse(readFileSync(path, "utf8")) as Partial<FullRun> | null;
    const { commit, date, passed } = record ?? {};
    if (typeof commit !== "string" || !/^[0-9a-f]{40}$/.test(commit)) return undefined;
    if (typeof date !== "string" || typeof passed !== "number") return undefined;
    return { commit, date, passed };
  } catch {
    return undefined;
  }
}

/** Writes the record; its author commits it. */
export function writeFullRun(root: string, run: FullRun): void {
  writeFileSync(join(root, FULL_RUN_FILE), `${JSON.stringify(run, null, 2)}\n`);
}

/** Reason for CI to run everything. @returns `undefined` when one tenth is enough */
export function reasonForFullRun({ commit }: FullRun, git: Git): string | undefined {
  if (!git.isAncestor(commit)) return `commit ${commit} of the last full run is unknown here`;
  const age = git.countSince(commit);
  if (age > MAX_COMMITS) return `the last full run is ${age} commits old (limit: ${MAX_COMMITS})`;
  const changed = git
    .changedSince(commit)
    .find((path) => DEMANDING.some((folder) => path.startsWith(folder)));
  return changed === undefined ? undefined : `${changed} has changed since the last full run`;
}
