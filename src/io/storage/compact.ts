import { Database } from "bun:sqlite";
import { chmodSync, chownSync, existsSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { AppError, StorageError } from "#base/errors/index.ts";
import { CHAIN_SCHEMA_VERSION, fileIdentity } from "./file-identity.ts";
import { fileFailure } from "./file-failure.ts";
import { syncPath, vacuumInto } from "./vacuum.ts";

/** Suffix of the temporary file of a compaction; a leftover is deleted by the next compaction. */
export const COMPACT_SUFFIX = ".compact";

/** Sizes of a database file in bytes. */
export interface Compaction {
  readonly bytesBefore: number;
  readonly bytesAfter: number;
}

/**
 * Rewrites a database without free pages and in table order, then replaces the file atomically. A crash
 * leaves either the old or the new file, with the same contents.
 *
 * The folder must be locked by this process. A concurrent reader makes the compaction fail: the write-ahead
 * log belongs to the old file.
 *
 * @throws {StorageError} STORAGE_IN_USE when another process reads the database, STORAGE_NEWER_SCHEMA,
 *   STORAGE_FILE_FAILED or STORAGE_NO_SPACE; the database is then unchanged
 */
export function compactDatabase(path: string): Compaction {
  const { schemaVersion } = fileIdentity(path);
  if (schemaVersion > CHAIN_SCHEMA_VERSION) {
    throw new StorageError(
      "STORAGE_NEWER_SCHEMA",
      `The database ${path} has schema version ${schemaVersion}, but this program knows versions up to ${CHAIN_SCHEMA_VERSION}. Use a newer program.`,
      { meta: { path, found: schemaVersion, known: CHAIN_SCHEMA_VERSION } },
    );
  }
  const compacted = path + COMPACT_SUFFIX;
  try {
    rmSync(compacted, { force: true });
    const bytesBefore = sizeOf(path) + sizeOf(`${path}-wal`);
    closeLog(path);
    vacuumInto(path, compacted);
    requireSameContents(path, compacted);
    const bytesAfter = sizeOf(compacted);
    keepRights(path, compacted);
    renameSync(compacted, path);
    syncPath(dirname(path));
    return { bytesBefore, bytesAfter };
  } catch (cause) {
    rmSync(compacted, { force: true });
    if (cause instanceof AppError) throw cause;
    throw fileFailure(`${path} cannot be compacted`, cause);
  }
}

/** Moves the log into the file and deletes it, which requires that no other process has it open. */
function closeLog(path: string): void {
  using connection = new Database(path, { strict: true });
  connection.run("pragma busy_timeout = 5000");
  connection.run("pragma synchronous = full");
  try {
    connection.run("pragma wal_checkpoint(truncate)");
    connection.query("pragma journal_mode = delete").get();
  } catch (cause) {
    const isBusy = cause instanceof Error && /locked|busy/.test(cause.message);
    if (!isBusy) throw cause;
    throw new StorageError(
      "STORAGE_IN_USE",
      `The database ${path} is read by another process (db check or db backup?). Try again when it has ended.`,
      { meta: { path }, cause },
    );
  }
}

function requireSameContents(path: string, compacted: string): void {
  const [before, after] = [path, compacted].map((file) => {
    using connection = new Database(file, { readonly: true, strict: true });
    const newest = connection
      .query("select number, hex(hash) as hash from block order by number desc limit 1")
      .get();
    const version = connection.query("pragma user_version").get();
    const names = connection.query("select type, name, sql from sqlite_master order by name").all();
    return JSON.stringify([newest, version, names]);
  });
  if (before === after) return;
  throw new StorageError("STORAGE_FAILED", `The compacted copy of ${path} differs from it.`, {
    meta: { path },
  });
}

/** Copies owner and permissions to the new file. */
function keepRights(path: string, compacted: string): void {
  const { mode, uid, gid } = statSync(path);
  const made = statSync(compacted);
  if (made.uid !== uid || made.gid !== gid) chownSync(compacted, uid, gid);
  chmodSync(compacted, mode & 0o777);
  syncPath(compacted);
}

function sizeOf(path: string): number {
  return existsSync(path) ? statSync(path).size : 0;
}
