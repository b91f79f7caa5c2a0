import { type DatabaseHandle, openDatabase } from "#io/storage/index.ts";
import type { NodeSetup } from "../setup/setup.ts";

/**
 * Does something to the chain database of a data directory that this process has locked and nobody writes
 * to; it is closed again.
 *
 * @param durability - of what is written: `full` is on the disk when it is committed
 * @throws {StorageError} when the database cannot be opened, or is of another chain
 * @throws what `work` throws
 */
export async function writeChain<T>(
  { files, config }: Pick<NodeSetup, "files" | "config">,
  durability: "full" | "normal",
  work: (database: DatabaseHandle) => T,
): Promise<T> {
  const database = await openDatabase({
    path: files.chainDatabase,
    chainId: config.chainId,
    mode: "writer",
    durability,
  });
  try {
    return work(database);
  } finally {
    database.close();
  }
}
