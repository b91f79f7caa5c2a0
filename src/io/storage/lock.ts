import { Database } from "bun:sqlite";
import { accessSync, constants, mkdirSync } from "node:fs";
import { join } from "node:path";
import { StorageError } from "#base/errors/index.ts";
import { isDamage } from "./damage.ts";
import { noRoomSentence } from "./file-failure.ts";

/** A folder that belongs to this process until released. */
export interface FolderLock {
  release(): void;
}

/** Connections with a lock: one that nothing refers to would be closed, and its lock with it. */
const held = new Set<Database>();

/**
 * Takes a folder (created when missing) for this process. The kernel frees it when the process ends
 * in any way.
 *
 * @throws {StorageError} STORAGE_LOCKED when another process has it, STORAGE_CANNOT_OPEN when the
 *   folder cannot be written
 */
export function lockFolder(folder: string): FolderLock {
  const path = join(folder, "lock.db");
  let connection: Database | undefined;
  try {
    mkdirSync(folder, { recursive: true });
    connection = new Database(path, { create: true, strict: true });
    // SQLite opens a file that it may not write for reading, and such a lock keeps nobody out.
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
      ? `${path} is damaged: delete it; it only keeps a second process out.`
      : `The folder ${folder} cannot be written.${noRoomSentence(cause)}`;
    throw new StorageError("STORAGE_CANNOT_OPEN", message, { meta: { folder }, cause });
  }
  const owner = connection;
  held.add(owner);
  return {
    release() {
      held.delete(owner);
      owner.close();
    },
  };
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "SQLITE_BUSY";
}
