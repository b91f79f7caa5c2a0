import { type DatabaseHandle, openDatabase } from "#io/storage/index.ts";
import { chainFailure } from "../../setup/damaged-chain.ts";
import type { NodeSetup } from "../../setup/setup.ts";

/**
 * Runs `work` on the chain database of a data directory that this process has locked and nobody writes to,
 * then closes it.
 *
 * @param durability - of the writes; `full` means on disk once committed
 * @throws {StorageError} when the database cannot be opened, is damaged, or is of another chain
 * @throws errors of `work`
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
