import { mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Download, download, type DownloadOptions, sha256Of } from "./download.ts";
import type { FixtureFile } from "./manifest.ts";

/** Options of {@link fetchFixtures}. */
export interface FetchOptions extends Omit<DownloadOptions, "mirror"> {
  /** Folder of the fixtures; created if it is missing. */
  readonly folder: string;
  /** Address of {@link DownloadOptions}; `null` fetches nothing. */
  readonly mirror: string | null;
  /** Maximum of tries for a file when the failure may be temporary. */
  readonly tries: number;
  /** Pause between two tries. */
  readonly pauseMs: number;
}

/** A file that is missing at the end, with the reason. */
export interface Failure {
  readonly to: string;
  readonly reason: string;
}

/** Results by kind; files that are in none of these were not tried. */
export interface FetchOutcome {
  /** Files that were valid before. */
  readonly there: number;
  readonly fetched: number;
  readonly failures: readonly Failure[];
}

/** Concurrent downloads. */
const WORKERS = 8;

/** Number of failures after which it stops: without a network every file fails. */
const MAX_FAILURES = 10;

/** Folder of incomplete files, within the folder of the fixtures: a rename on the same file system is atomic. */
const UNFINISHED = ".unfinished";

/** Verifies existing files and fetches the rest. An invalid file is replaced in one step. */
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

/** @returns the reason of a failure; `undefined` on success */
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

/** Writes a temporary file, flushes it and renames it, so that an incomplete file never appears. */
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
