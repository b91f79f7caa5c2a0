import type { DatabaseHandle } from "#io/storage/index.ts";
import type { NodeSetup } from "../setup/setup.ts";
import { type TakenFolder, takeFolder } from "./new-folder.ts";
import type { ResetRequest } from "./reset-folder.ts";
import { writeChain } from "./write-chain.ts";

/**
 * Takes a data directory and does something to its chain database, which is closed again. Where that fails,
 * the directory is given free.
 *
 * @param reset - deletes the chain that is there first; `null`: it goes on
 * @param durability - of what is written: `full` is on the disk when it is committed
 * @throws {StorageError} when another process uses the folder, or its database is of another chain
 * @throws what `prepare` throws
 */
export async function prepareTaken<T>(
  setup: NodeSetup,
  reset: ResetRequest | null,
  durability: "full" | "normal",
  prepare: (database: DatabaseHandle) => T,
): Promise<{ readonly folder: TakenFolder; readonly made: T }> {
  const folder = takeFolder(setup.files.folder, reset);
  try {
    return { folder, made: await writeChain(setup, durability, prepare) };
  } catch (error) {
    folder.release();
    throw error;
  }
}
