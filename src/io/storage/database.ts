import type { Database } from "bun:sqlite";
import { StorageError } from "#base/errors/index.ts";
import { noRoomSentence } from "./file-failure.ts";
import { deriveRows } from "./derive.ts";
import { openFile } from "./open-file.ts";
import { CHAIN_MIGRATIONS } from "./migrations/index.ts";
import { CHAIN_TABLES } from "./newest-tables.ts";
import type { ChainSchema } from "./schema/index.ts";
import { StatementFactory } from "./statement.ts";

/** Settings of {@link openDatabase}. */
export interface DatabaseOptions {
  readonly path: string;
  /** Chain id text, for example `SN_MAIN`: written into a new file, checked against an existing one. */
  readonly chainId: string;
  /** `writer` creates and migrates the file; at most one per file. Readers cannot change it. */
  readonly mode: "writer" | "reader";
  /**
   * `full`: a returned commit survives power loss. `normal`: it survives a process crash; power loss may lose
   * the last commits, but never a part of one. Ignored for readers.
   */
  readonly durability: "full" | "normal";
}

/**
 * Length of the write-ahead log, in pages, from which a writer moves it into the database file: 4
 * MiB, a few milliseconds of work, for pages that several blocks have changed meanwhile.
 */
export const LONG_LOG_PAGES = 1024;

/**
 * Length of the write-ahead log, in pages, from which SQLite itself moves it into the file after a
 * commit: 64 MiB, several times the writes of the largest block.
 */
export const MAX_LOG_PAGES = 16_384;

/** Open chain database: one connection, for use by one thread. */
export interface DatabaseHandle {
  readonly options: DatabaseOptions;
  readonly connection: Database;
  /** Builds the statements of all tables over {@link connection}. */
  readonly statements: StatementFactory<ChainSchema>;
  /** Moves the write-ahead log into the file and truncates it, as far as readers allow. Writers only. */
  checkpoint(): void;
  /**
   * Moves the log into the file once it is {@link LONG_LOG_PAGES} long, as far as readers allow. Call it
   * between commits, when no one waits. If it is not called, or a reader holds a snapshot open, a commit does
   * it at {@link MAX_LOG_PAGES}. Writers only.
   *
   * @throws {StorageError} STORAGE_FAILED when the database fails
   */
  checkpointIfLong(): void;
  /** Frees the memory of cached pages; they are read again when needed. */
  shrink(): void;
  /** Finalizes every statement and closes the connection; no reads may follow. */
  close(): void;
}

/**
 * Opens a chain database.
 *
 * @throws {StorageError} STORAGE_OTHER_CHAIN when the file belongs to another chain, STORAGE_NEWER_SCHEMA or
 *   (reader) STORAGE_OLDER_SCHEMA, STORAGE_CANNOT_OPEN when the file is missing or is not a database
 */
export async function openDatabase(options: DatabaseOptions): Promise<DatabaseHandle> {
  const { connection, kysely } = await openFile<ChainSchema>({
    ...options,
    migrations: CHAIN_MIGRATIONS,
    newest: CHAIN_TABLES,
    derive: deriveRows,
    autoCheckpointPages: MAX_LOG_PAGES,
  });
  const isWriter = options.mode === "writer";
  return {
    options,
    connection,
    statements: new StatementFactory<ChainSchema>(connection, kysely),
    checkpoint() {
      if (isWriter) connection.run("pragma wal_checkpoint(truncate)");
    },
    checkpointIfLong() {
      if (!isWriter) return;
      try {
        if (unmovedPages(connection) < LONG_LOG_PAGES) return;
        connection.query("pragma wal_checkpoint(passive)").get();
      } catch (cause) {
        const message = `The log could not be moved into the database.${noRoomSentence(cause)}`;
        throw new StorageError("STORAGE_FAILED", message, { cause });
      }
    },
    shrink() {
      connection.run("pragma shrink_memory");
    },
    close() {
      connection.close(true);
    },
  };
}

/** Returns the number of log pages that are not in the file yet. */
function unmovedPages(connection: Database): number {
  const row = connection
    .query<{ log: bigint; checkpointed: bigint }, []>("pragma wal_checkpoint(noop)")
    .get();
  return row === null ? 0 : Number(row.log - row.checkpointed);
}
