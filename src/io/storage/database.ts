import type { Database } from "bun:sqlite";
import type { Kysely } from "kysely";
import { StorageError } from "#base/errors/index.ts";
import { noRoomSentence } from "./file-failure.ts";
import { deriveRows } from "./derive.ts";
import { openFile } from "./open-file.ts";
import { CHAIN_MIGRATIONS } from "./migrations/index.ts";
import type { ChainSchema } from "./schema/index.ts";

/** How to open a database file. */
export interface DatabaseOptions {
  readonly path: string;
  /** Chain id text, for example `SN_MAIN`: written into a new file, compared with an old one. */
  readonly chainId: string;
  /** `writer` creates and migrates the file; at most one per file. Readers cannot change it. */
  readonly mode: "writer" | "reader";
  /**
   * `full`: a commit that returned survives power loss. `normal`: it survives the death of the
   * process; power loss may take the last ones, never half of one. Without meaning for readers.
   */
  readonly durability: "full" | "normal";
}

/** 4 MiB: a few milliseconds' work, for pages that several blocks have changed meanwhile. */
export const LONG_LOG_PAGES = 1024;

/** 64 MiB: several times what the largest block writes. */
export const MAX_LOG_PAGES = 16_384;

/** An open chain database: one connection, to be used from one thread. */
export interface DatabaseHandle {
  readonly options: DatabaseOptions;
  readonly connection: Database;
  /** Typed queries over {@link connection}: for building statements and for work that is not hot. */
  readonly kysely: Kysely<ChainSchema>;
  /** Moves the write-ahead log into the file and cuts it, as far as readers allow. Writers only. */
  checkpoint(): void;
  /**
   * Moves the log into the file once it is {@link LONG_LOG_PAGES} long, as far as readers allow: to be
   * called between commits, when nobody waits. Where it is not called, or a reader stays in a snapshot,
   * a commit does it at {@link MAX_LOG_PAGES}. Writers only.
   *
   * @throws {StorageError} STORAGE_FAILED when the database fails
   */
  checkpointIfLong(): void;
  /** Gives back the memory of pages that were read; they are read again when they are needed. */
  shrink(): void;
  /** Ends every statement, and with them the connection: nothing may be read with it any more. */
  close(): void;
}

/**
 * Opens a chain database.
 *
 * @throws {StorageError} STORAGE_OTHER_CHAIN when the file is of another chain, STORAGE_NEWER_SCHEMA
 *   or (reader) STORAGE_OLDER_SCHEMA, STORAGE_CANNOT_OPEN when there is no such file or it is no
 *   database
 */
export async function openDatabase(options: DatabaseOptions): Promise<DatabaseHandle> {
  const { connection, kysely } = await openFile<ChainSchema>({
    ...options,
    migrations: CHAIN_MIGRATIONS,
    derive: deriveRows,
    autoCheckpointPages: MAX_LOG_PAGES,
  });
  const isWriter = options.mode === "writer";
  return {
    options,
    connection,
    kysely,
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

/** Pages of the log that are not in the file yet. */
function unmovedPages(connection: Database): number {
  const row = connection
    .query<{ log: bigint; checkpointed: bigint }, []>("pragma wal_checkpoint(noop)")
    .get();
  return row === null ? 0 : Number(row.log - row.checkpointed);
}
