import { Database } from "bun:sqlite";
import { Kysely } from "kysely";
import { StorageError } from "#base/errors/index.ts";
import { bunSqliteDialect } from "./dialect.ts";
import { type MetaSchema, prepareFile } from "./file.ts";
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
  const connection = connect(options);
  const kysely = new Kysely<ChainSchema>({ dialect: bunSqliteDialect(connection) });
  try {
    await prepareFile(connection, kysely as unknown as Kysely<MetaSchema>, {
      ...options,
      migrations: CHAIN_MIGRATIONS,
    });
  } catch (error) {
    connection.close(true);
    throw error;
  }
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

/** Opens the file and sets what belongs to the connection. */
export function connect(options: Pick<DatabaseOptions, "path" | "mode" | "durability">): Database {
  const { path, mode, durability } = options;
  try {
    const connection =
      mode === "writer"
        ? new Database(path, { create: true, strict: true, safeIntegers: true })
        : new Database(path, { readonly: true, strict: true, safeIntegers: true });
    connection.run("pragma busy_timeout = 5000");
    connection.run("pragma mmap_size = 268435456");
    if (mode === "reader") {
      connection.run("pragma query_only = on");
      return connection;
    }
    connection.run("pragma journal_mode = wal");
    connection.run(`pragma synchronous = ${durability}`);
    // 16 MiB of log before it is moved into the file, at most 64 MiB kept on disk afterwards.
    connection.run("pragma wal_autocheckpoint = 4096");
    connection.run("pragma journal_size_limit = 67108864");
    connection.run("pragma cache_size = -65536");
    return connection;
  } catch (cause) {
    throw new StorageError("STORAGE_CANNOT_OPEN", `The database ${path} cannot be opened.`, {
      meta: { path },
      cause,
    });
  }
}
