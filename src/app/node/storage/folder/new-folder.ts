import { existsSync, mkdirSync, readdirSync, rmdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { StorageError } from "#base/errors/index.ts";
import { type FolderLock, lockFolder, noRoomSentence } from "#io/storage/index.ts";
import { BESIDE, IMPORT_FOLDER, OWN_FILES, RESTORE_FOLDER } from "./own-files.ts";
import { checkReset, deleteChain, type ResetRequest } from "./reset-folder.ts";

/** A locked data directory that is as it was found again when the start fails. */
export interface TakenFolder {
  /** Files of a chain that a reset deleted. */
  readonly deleted: number;
  /** Gives the folder free. A new chain's files go with it unless {@link keep} was called. */
  release(): void;
  /** From now on the folder is worth keeping. */
  keep(): void;
}

/**
 * Creates and locks a data directory.
 *
 * @param reset - deletes the chain that is in it first; `null`: it goes on
 * @throws {ConfigError} when what would be deleted is not this program's; nothing was deleted then
 * @throws {StorageError} when it cannot be created or written, or another process uses it
 */
export function takeFolder(folder: string, reset: ResetRequest | null = null): TakenFolder {
  // Before a lock is made in a folder that may be somebody else's.
  if (reset !== null) checkReset(folder, reset);
  if (existsSync(join(folder, RESTORE_FOLDER))) {
    throw new StorageError(
      "STORAGE_NOT_RESTORED",
      `a restore to the data directory ${folder} did not come to its end; give \`appchain db restore\` again`,
    );
  }
  if (existsSync(join(folder, IMPORT_FOLDER))) {
    throw new StorageError(
      "STORAGE_NOT_IMPORTED",
      `an import to the data directory ${folder} did not come to its end; give \`appchain snapshot import\` again, or delete ${IMPORT_FOLDER} in it`,
    );
  }
  const hadLock = existsSync(join(folder, "lock.db"));
  const created = createFolder(folder);
  let lock: FolderLock;
  try {
    lock = lockFolder(folder);
  } catch (error) {
    removeFolders(folder, created);
    throw error;
  }
  // Only now is it certain that no other process makes files here.
  const deleted = reset === null ? 0 : deleteLocked(folder, reset, lock);
  const found = new Set(readdirSync(folder));
  if (!hadLock) found.delete("lock.db");
  let isKept = found.has("chain.db");
  return {
    deleted,
    keep: () => {
      isKept = true;
    },
    release() {
      if (!isKept) {
        for (const name of OWN_FILES) {
          if (found.has(name)) continue;
          for (const suffix of BESIDE) rmSync(join(folder, name + suffix), { force: true });
        }
      }
      lock.release();
      if (!isKept) removeFolders(folder, created);
    },
  };
}

/** Looks again: files may have come between the first look and the lock. */
function deleteLocked(folder: string, reset: ResetRequest, lock: FolderLock): number {
  try {
    checkReset(folder, reset);
    return deleteChain(folder, reset);
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** @returns the topmost folder that had to be made; `undefined` when all were there */
function createFolder(folder: string): string | undefined {
  try {
    return mkdirSync(folder, { recursive: true, mode: 0o750 });
  } catch (cause) {
    throw new StorageError(
      "STORAGE_CANNOT_OPEN",
      `the data directory ${folder} cannot be created; choose another one with --base-path.${noRoomSentence(cause)}`,
      { cause },
    );
  }
}

/** Removes the folders from `folder` up to `topmost` that are empty. */
function removeFolders(folder: string, topmost: string | undefined): void {
  if (topmost === undefined) return;
  try {
    for (let path = folder; path.length >= topmost.length; path = dirname(path)) rmdirSync(path);
  } catch {
    // Somebody put something into it: it stays.
  }
}
