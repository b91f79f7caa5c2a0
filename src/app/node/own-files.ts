/** What a node puts into its folder, in the order in which it can be deleted: see `deleteChain`. */
export const OWN_FILES = [
  "execution.journal",
  "commit.journal",
  "validation.journal",
  "mempool.db",
  "chain.db",
  "block-signing.key",
  "lock.db",
] as const;

/** What SQLite puts beside a database, and the database itself. */
export const BESIDE = ["", "-wal", "-shm", "-journal"] as const;
