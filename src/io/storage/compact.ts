import { Database } from "bun:sqlite";
import { chmodSync, chownSync, existsSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { AppError, StorageError } from "#base/errors/index.ts";
import { CHAIN_SCHEMA_VERSION, fileIdentity } from "./file-identity.ts";
import { fileFailure } from "./file-failure.ts";
import { syncPath, vacuumInto } from "./vacuum.ts";

/** What a compaction makes beside a database; what a killed one left is deleted by the next. */
export const COMPACT_SUFFIX = ".compact";

/** Sizes of a database file. */
export interface Compaction {
  readonly bytesBefore: number;
  readonly bytesAfter: number;
}

/**
 * Writes a database anew, without free pages and in the order of its tables, and puts the new file in its
 * place in one step. Whenever the process dies, the old file is there or the new one, with the same
 * contents.
 *
 * The folder is this process's. Who reads the database is refused: the log belongs to the old file.
 *
 * @throws {StorageError} STORAGE_IN_USE when another process reads it, STORAGE_NEWER_SCHEMA,
 *   STORAGE_FILE_FAILED or STORAGE_NO_SPACE; the database is as it was
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

/** Moves the log into the file and deletes it, which needs that nobody else has the file open. */
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
  throw new StorageError("STORAGE_FAILED", `The copy of ${path} is not like it.`, {
    meta: { path },
  });
}

/** Whoever could open the file can go on to. */
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
