import { accessSync } from "node:fs";
import type { DatabaseHandle } from "#io/storage/index.ts";
import type { NodeSetup } from "../../setup/setup.ts";
import { type TakenFolder, takeFolder } from "./new-folder.ts";
import type { FolderRequest } from "./folder-request.ts";
import { requirePlainFiles } from "./plain-files.ts";
import { deleteRemains, requireNoRemains } from "./remains.ts";
import { writeChain } from "./write-chain.ts";

/**
 * Takes a data directory and does something to its chain database, which is closed again. Where that fails,
 * the directory is given free.
 *
 * @param durability - of what is written: `full` is on the disk when it is committed
 * @param prepare - gets what {@link FolderRequest.mayBegin} resolved to
 * @throws {StorageError} when another process uses the folder, or its database is of another chain
 * @throws {ConfigError} when the chain database is missing and other files of a chain are left
 * @throws what `prepare` and `mayBegin` throw
 */
export async function prepareTaken<T>(
  setup: NodeSetup,
  { reset, newChain, mayBegin }: FolderRequest,
  durability: "full" | "normal",
  prepare: (database: DatabaseHandle, mayBegin: boolean) => T,
): Promise<{ readonly folder: TakenFolder; readonly made: T }> {
  if (reset === null) requirePlainFiles(setup.files.folder, accessSync);
  const folder = takeFolder(setup.files.folder, reset);
  try {
    const hasRemains = requireNoRemains(setup, newChain);
    const begins = await mayBegin();
    if (hasRemains) deleteRemains(setup.files.folder);
    return {
      folder,
      made: await writeChain(setup, durability, (database) => prepare(database, begins)),
    };
  } catch (error) {
    folder.release();
    throw error;
  }
}
