import type { Database } from "bun:sqlite";
import { closeSync, fsyncSync, openSync, statfsSync } from "node:fs";
import { dirname } from "node:path";
import { StorageError } from "#base/errors/index.ts";
import { fileFailure } from "./file-failure.ts";
import { openReadOnly } from "./read-only.ts";

/** Page counts of a database. */
export interface PageCounts {
  readonly pageBytes: number;
  readonly pages: number;
  /** Pages without content, reused for new data. */
  readonly freePages: number;
}

/** Reads the page counts of a database. */
export function pageCounts(connection: Database): PageCounts {
  const pragma = (name: string): number =>
    Number(Object.values(connection.query(`pragma ${name}`).get() ?? {})[0] ?? 0);
  return {
    pageBytes: pragma("page_size"),
    pages: pragma("page_count"),
    freePages: pragma("freelist_count"),
  };
}

/**
 * Copies a consistent snapshot of a database into a new file with mode 0600, without free pages, and flushes
 * it to disk. Others may write to the database meanwhile; its log cannot be truncated until the copy is
 * complete.
 *
 * @param target - must not exist
 * @throws {StorageError} STORAGE_FILE_FAILED when a file operation fails, STORAGE_NO_SPACE when the disk
 *   evidently has no room
 */
export function vacuumInto(source: string, target: string): void {
  try {
    // SQLite follows links and creates world-readable files, but accepts an existing empty one.
    closeSync(openSync(target, "wx", 0o600));
    using connection = openReadOnly(source);
    const { pageBytes, pages, freePages } = pageCounts(connection);
    requireRoom(dirname(target), (pages - freePages) * pageBytes);
    connection.query("vacuum into ?").run(target);
    syncPath(target);
  } catch (cause) {
    if (cause instanceof StorageError) throw cause;
    throw fileFailure(`${source} cannot be copied to ${target}`, cause);
  }
}

/** Flushes a file or folder to disk. */
export function syncPath(path: string): void {
  const descriptor = openSync(path, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Rejects a copy that cannot fit, before it starts.
 *
 * @param needed - maximum size of the copy in bytes
 * @throws {StorageError} STORAGE_NO_SPACE
 */
export function requireRoom(folder: string, needed: number): void {
  const { bavail, bsize } = statfsSync(folder);
  const free = bavail * bsize;
  if (free >= needed) return;
  throw new StorageError(
    "STORAGE_NO_SPACE",
    `${folder} has no room for a copy: it takes up to ${needed} bytes, and ${free} are free`,
    { meta: { needed, free } },
  );
}
