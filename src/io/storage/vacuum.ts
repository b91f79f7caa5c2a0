import type { Database } from "bun:sqlite";
import { closeSync, fsyncSync, openSync, statfsSync } from "node:fs";
import { dirname } from "node:path";
import { StorageError } from "#base/errors/index.ts";
import { fileFailure } from "./file-failure.ts";
import { openReadOnly } from "./read-only.ts";

/** Pages of a database. */
export interface PageCounts {
  readonly pageBytes: number;
  readonly pages: number;
  /** Of them without content: room for what comes. */
  readonly freePages: number;
}

/** How many pages a database has. */
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
 * Copies a database as of one moment into a new file of mode 0600, without its free pages, and flushes it
 * to the disk. Others may write to the database meanwhile; its log cannot be cut before the end.
 *
 * @param target - does not exist
 * @throws {StorageError} STORAGE_FILE_FAILED when a file refuses, STORAGE_NO_SPACE when it is clear before
 *   that the disk has no room
 */
export function vacuumInto(source: string, target: string): void {
  try {
    // SQLite follows links and makes files that anyone may read; it takes an empty one as it is.
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

/** Flushes a file or a folder to the disk. */
export function syncPath(path: string): void {
  const descriptor = openSync(path, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Refuses a copy that cannot fit before it is begun.
 *
 * @param needed - most bytes that it takes
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
