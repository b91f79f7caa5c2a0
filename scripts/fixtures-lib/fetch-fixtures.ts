import { mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Download, download, type DownloadOptions, sha256Of } from "./download.ts";
import type { FixtureFile } from "./manifest.ts";

/** How the files are fetched. */
export interface FetchOptions extends Omit<DownloadOptions, "mirror"> {
  /** Folder of the fixtures; made when it is missing. */
  readonly folder: string;
  /** Address of {@link DownloadOptions}; `null` fetches nothing. */
  readonly mirror: string | null;
  /** How often a file is asked for when what is wrong may pass. */
  readonly tries: number;
  /** Between two tries. */
  readonly pauseMs: number;
}

/** A file that is not there in the end, and why. */
export interface Failure {
  readonly to: string;
  readonly reason: string;
}

/** What became of the files; those that are in none of these were not tried. */
export interface FetchOutcome {
  /** Right from the beginning. */
  readonly there: number;
  readonly fetched: number;
  readonly failures: readonly Failure[];
}

/** Files under way at a time. */
const WORKERS = 8;

/** After so many it ends: a network that is gone fails every file. */
const MAX_FAILURES = 10;

/** Files that are not whole yet, in the folder of the fixtures: on one file system, renaming is one step. */
const UNFINISHED = ".unfinished";

/** Verifies what is there and fetches the rest. A file is replaced when it is wrong, and in one step. */
export async function fetchFixtures(
  files: readonly FixtureFile[],
  options: FetchOptions,
): Promise<FetchOutcome> {
  const { folder, mirror, signal } = options;
  const failures: Failure[] = [];
  let there = 0;
  let fetched = 0;
  // One iterator for all workers: each takes the next file.
  const queue = files.entries();
  const work = async (): Promise<void> => {
    for (const [index, file] of queue) {
      if (signal.aborted) return;
      const path = join(folder, file.to);
      const state = await stateOf(path, file);
      if (state === "right") there++;
      else if (mirror === null) failures.push({ to: file.to, reason: state });
      else {
        if (failures.length >= MAX_FAILURES) return;
        const unfinished = join(folder, UNFINISHED, String(index));
        const reason = await fetchOne(file, path, unfinished, { ...options, mirror });
        if (reason === undefined) fetched++;
        else if (!signal.aborted) failures.push({ to: file.to, reason });
      }
    }
  };
  await Promise.all(Array.from({ length: WORKERS }, work));
  if (mirror !== null) await rm(join(folder, UNFINISHED), { recursive: true, force: true });
  failures.sort((left, right) => (left.to < right.to ? -1 : 1));
  return { there, fetched, failures };
}

/** @returns why the file is not there, or `undefined` when it is */
async function fetchOne(
  file: FixtureFile,
  path: string,
  unfinished: string,
  options: FetchOptions & DownloadOptions,
): Promise<string | undefined> {
  const found = await downloadOften(file, options);
  if (found.kind === "wrong") return found.reason;
  try {
    await writeWhole(path, unfinished, found.bytes);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : "cannot be written";
  }
}

async function stateOf(path: string, file: FixtureFile): Promise<"right" | "missing" | "wrong"> {
  const bytes = await readFile(path).catch(() => undefined);
  if (bytes === undefined) return "missing";
  return sha256Of(bytes) === file.sha256 ? "right" : "wrong";
}

async function downloadOften(
  file: FixtureFile,
  options: FetchOptions & DownloadOptions,
): Promise<Download> {
  for (let left = options.tries; ; left--) {
    const found = await download(file, options);
    if (found.kind === "right" || !found.isPassing || left <= 1) return found;
    await Bun.sleep(options.pauseMs);
  }
}

/** Writes beside, flushes, and gives the file its name: it is whole or not there. */
async function writeWhole(path: string, beside: string, bytes: Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await mkdir(dirname(beside), { recursive: true });
  const handle = await open(beside, "w");
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(beside, path);
}
