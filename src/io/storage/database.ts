import type { Database } from "bun:sqlite";
import type { Kysely } from "kysely";
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

/** An open chain database: one connection, to be used from one thread. */
export interface DatabaseHandle {
  readonly options: DatabaseOptions;
  readonly connection: Database;
  /** Typed queries over {@link connection}: for building statements and for work that is not hot. */
  readonly kysely: Kysely<ChainSchema>;
  /** Moves the write-ahead log into the file and cuts it, as far as readers allow. Writers only. */
  checkpoint(): void;
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
  });
  return {
    options,
    connection,
    kysely,
    checkpoint() {
      if (options.mode === "writer") connection.run("pragma wal_checkpoint(truncate)");
    },
    close() {
      connection.close(true);
    },
  };
}
