import { Database } from "bun:sqlite";
import { StorageError } from "#base/errors/index.ts";
import { damagedDatabase, isDamage } from "./damage.ts";
import { noRoomSentence } from "./file-failure.ts";
import { openReadOnly } from "./read-only.ts";

/** Settings of a connection to a database file. */
export interface ConnectOptions {
  readonly path: string;
  /** `writer` creates the file. Readers cannot change it. */
  readonly mode: "writer" | "reader";
  /** Same as in `DatabaseOptions`. */
  readonly durability: "full" | "normal";
  /** Length of the log in pages at which a commit moves it into the file; default: 4096. */
  readonly autoCheckpointPages?: number;
}

/** 16 MiB. */
const AUTO_CHECKPOINT_PAGES = 4096;

/** Opens the file and configures the connection. */
export function connect(options: ConnectOptions): Database {
  const { path, mode, durability, autoCheckpointPages = AUTO_CHECKPOINT_PAGES } = options;
  try {
    const connection =
      mode === "writer"
        ? new Database(path, { create: true, strict: true, safeIntegers: true })
        : openReadOnly(path);
    connection.run("pragma busy_timeout = 5000");
    connection.run("pragma mmap_size = 268435456");
    if (mode === "reader") {
      connection.run("pragma query_only = on");
      return connection;
    }
    connection.run("pragma journal_mode = wal");
    connection.run(`pragma synchronous = ${durability}`);
    connection.run(`pragma wal_autocheckpoint = ${autoCheckpointPages}`);
    // Truncates the log to 64 MiB after a very large commit or a slow reader.
    connection.run("pragma journal_size_limit = 67108864");
    // Pages of the file are memory-mapped; the cache serves pages of the log, which stays about as short.
    connection.run("pragma cache_size = -16384");
    return connection;
  } catch (cause) {
    if (cause instanceof StorageError) throw cause;
    if (isDamage(cause)) throw damagedDatabase(path, cause);
    throw new StorageError(
      "STORAGE_CANNOT_OPEN",
      `The database ${path} cannot be opened.${noRoomSentence(cause)}`,
      {
        meta: { path },
        cause,
      },
    );
  }
}
