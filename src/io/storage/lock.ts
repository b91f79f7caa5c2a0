import { Database } from "bun:sqlite";
import { accessSync, constants, mkdirSync } from "node:fs";
import { join } from "node:path";
import { StorageError } from "#base/errors/index.ts";
import { isDamage } from "./damage.ts";
import { noRoomSentence } from "./file-failure.ts";

/** Exclusive lock on a folder, held by this process until released. */
export interface FolderLock {
  release(): void;
}

/** Connections that hold locks. An unreferenced one would be garbage collected, releasing its lock. */
const heldConnections = new Set<Database>();

/**
 * Locks a folder for this process, creating it if it is missing. The kernel releases the lock when the
 * process ends.
 *
 * @throws {StorageError} STORAGE_LOCKED when another process holds it, STORAGE_CANNOT_OPEN when the folder is
 *   not writable
 */
export function lockFolder(folder: string): FolderLock {
  const path = join(folder, "lock.db");
  let connection: Database | undefined;
  try {
    mkdirSync(folder, { recursive: true });
    connection = new Database(path, { create: true, strict: true });
    // SQLite opens a non-writable file read-only, and a read lock excludes no other process.
    accessSync(path, constants.W_OK);
    connection.run("pragma busy_timeout = 0");
    connection.run("begin exclusive");
  } catch (cause) {
    connection?.close();
    if (isBusy(cause)) {
      throw new StorageError(
        "STORAGE_LOCKED",
        `The folder ${folder} is in use by another process. Stop it, or choose another --base-path.`,
        { meta: { folder }, cause },
      );
    }
    const message = isDamage(cause)
      ? `${path} is damaged: delete it; it only prevents a second process.`
      : `The folder ${folder} cannot be written.${noRoomSentence(cause)}`;
    throw new StorageError("STORAGE_CANNOT_OPEN", message, { meta: { folder }, cause });
  }
  const owner = connection;
  heldConnections.add(owner);
  return {
    release() {
      heldConnections.delete(owner);
      owner.close();
    },
  };
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "SQLITE_BUSY";
}
