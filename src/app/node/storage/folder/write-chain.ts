import { type DatabaseHandle, openDatabase } from "#io/storage/index.ts";
import { chainFailure } from "../../setup/damaged-chain.ts";
import type { NodeSetup } from "../../setup/setup.ts";

/**
 * Does something to the chain database of a data directory that this process has locked and nobody writes
 * to; it is closed again.
 *
 * @param durability - of what is written: `full` is on the disk when it is committed
 * @throws {StorageError} when the database cannot be opened, is damaged, or is of another chain
 * @throws what `work` throws
 */
export async function writeChain<T>(
  { files, config }: Pick<NodeSetup, "files" | "config">,
  durability: "full" | "normal",
  work: (database: DatabaseHandle) => T,
): Promise<T> {
  const path = files.chainDatabase;
  try {
    const { chainId } = config;
    const database = await openDatabase({ path, chainId, mode: "writer", durability });
    try {
      return work(database);
    } finally {
      database.close();
    }
  } catch (error) {
    throw chainFailure(path, error);
  }
}
