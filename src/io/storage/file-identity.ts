import type { Database } from "bun:sqlite";
import { StorageError } from "#base/errors/index.ts";
import { CHAIN_MIGRATIONS } from "./migrations/index.ts";
import { openReadOnly } from "./read-only.ts";

/** Chain and schema of a database file. */
export interface FileIdentity {
  readonly chainId: string;
  /** Counted from 1. */
  readonly schemaVersion: number;
}

/** Schema version of chain databases that this program writes. */
export const CHAIN_SCHEMA_VERSION: number = Object.keys(CHAIN_MIGRATIONS).length;

/**
 * Reads chain id and schema version of a database file without changing it; the file may be in use.
 *
 * @throws {StorageError} STORAGE_CANNOT_OPEN when the file is missing, unreadable or damaged, or is not a
 *   chain database
 */
export function fileIdentity(path: string): FileIdentity {
  let connection: Database | undefined;
  try {
    connection = openReadOnly(path);
    const version = connection.query<{ user_version: bigint }, []>("pragma user_version").get();
    const row = connection
      .query<{ value: Uint8Array }, []>("select value from meta where key = 'chain_id'")
      .get();
    if (row !== null) {
      const chainId = new TextDecoder().decode(row.value);
      return { chainId, schemaVersion: Number(version?.user_version ?? 0n) };
    }
  } catch (cause) {
    throw cause instanceof StorageError ? cause : notOurs(path, cause);
  } finally {
    connection?.close();
  }
  throw notOurs(path, undefined);
}

/**
 * Whether a database file is still empty, because the process that created it was killed. Opening it as a
 * writer completes it.
 *
 * @throws {StorageError} STORAGE_CANNOT_OPEN when the file is missing or unreadable
 */
export function isUnwritten(path: string): boolean {
  let connection: Database | undefined;
  try {
    connection = openReadOnly(path);
    return connection.query("select 1 from sqlite_master limit 1").get() === null;
  } catch (cause) {
    throw cause instanceof StorageError ? cause : notOurs(path, cause);
  } finally {
    connection?.close();
  }
}

function notOurs(path: string, cause: unknown): StorageError {
  const reason = cause instanceof Error ? cause.message : "it names no chain";
  return new StorageError(
    "STORAGE_CANNOT_OPEN",
    `${path} is not a chain database, or cannot be read (${reason}).`,
    { meta: { path }, cause },
  );
}
