import { constants as sqlite, Database, type SQLQueryBindings } from "bun:sqlite";
import { accessSync, constants, statSync } from "node:fs";
import { dirname } from "node:path";
import { pathToFileURL } from "node:url";
import { StorageError } from "#base/errors/index.ts";

/**
 * Opens a database file for reading; it may be in use. Integers are read as `bigint`.
 *
 * To read a file with a write-ahead log, SQLite creates a shared-memory file next to it. If the folder is not
 * writable and no process has the file open, it is opened as immutable.
 *
 * @throws {StorageError} STORAGE_CANNOT_OPEN when the log holds changes that cannot be moved into the file
 * @throws {SQLiteError} when the file is missing or unreadable
 */
export function openReadOnly(path: string): Database {
  const connection = canBeShared(path)
    ? new Database(path, { readonly: true, strict: true, safeIntegers: true })
    : new UnchangingDatabase(path);
  connection.run("pragma busy_timeout = 5000");
  return connection;
}

function canBeShared(path: string): boolean {
  if (sizeOf(`${path}-shm`) !== undefined || isWritable(dirname(path))) return true;
  if ((sizeOf(`${path}-wal`) ?? 0) === 0) return false;
  throw new StorageError(
    "STORAGE_CANNOT_OPEN",
    `${path} was not closed: ${path}-wal holds changes that are not in it. Reading them takes a folder that can be written; copy the folder, or make it writable.`,
    { meta: { path } },
  );
}

/** Database file without writers, opened without locks and without a log. */
class UnchangingDatabase extends Database {
  constructor(path: string) {
    // A connection with these flags ignores other options.
    super(
      `${pathToFileURL(path).href}?immutable=1`,
      sqlite.SQLITE_OPEN_READONLY | sqlite.SQLITE_OPEN_URI,
    );
  }

  override prepare<Row, Bindings extends SQLQueryBindings | SQLQueryBindings[]>(
    sql: string,
    bindings?: Bindings,
  ) {
    return super.prepare<Row, Bindings>(sql, bindings).safeIntegers(true);
  }

  override query<Row, Bindings extends SQLQueryBindings | SQLQueryBindings[]>(sql: string) {
    return super.query<Row, Bindings>(sql).safeIntegers(true);
  }
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** @returns `undefined` if the file does not exist */
function sizeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.size;
}
