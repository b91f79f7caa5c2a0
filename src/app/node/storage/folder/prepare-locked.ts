import { accessSync } from "node:fs";
import type { DatabaseHandle } from "#io/storage/index.ts";
import type { NodeSetup } from "../../setup/setup.ts";
import { type LockedFolder, takeFolder } from "./new-folder.ts";
import type { FolderRequest } from "./folder-request.ts";
import { requirePlainFiles } from "./plain-files.ts";
import { deleteRemains, requireNoRemains } from "./remains.ts";
import { writeChain } from "./write-chain.ts";

/**
 * Takes a data directory and runs `prepare` on its chain database, which is then closed. On failure the
 * directory is released.
 *
 * @param durability - of the writes; `full` means on disk once committed
 * @param prepare - receives the result of {@link FolderRequest.mayBegin}
 * @throws {StorageError} when another process uses the folder, or its database is of another chain
 * @throws {ConfigError} when the chain database is missing and other files of a chain are left
 * @throws errors of `prepare` and `mayBegin`
 */
export async function prepareLocked<T>(
  setup: NodeSetup,
  { reset, newChain, mayBegin }: FolderRequest,
  durability: "full" | "normal",
  prepare: (database: DatabaseHandle, mayBegin: boolean) => T,
): Promise<{ readonly folder: LockedFolder; readonly made: T }> {
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
