import { existsSync, mkdirSync, readdirSync, rmdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { StorageError } from "#base/errors/index.ts";
import { type FolderLock, lockFolder, noRoomSentence } from "#io/storage/index.ts";
import { DATABASE_SUFFIXES, IMPORT_FOLDER, OWN_FILES, RESTORE_FOLDER } from "./own-files.ts";
import { checkReset, deleteChain, type ResetRequest } from "./reset-folder.ts";

/** Locked data directory. A failed start restores its previous state. */
export interface LockedFolder {
  /** Number of chain files that a reset deleted. */
  readonly deleted: number;
  /** Unlocks the folder. Deletes a new chain's files unless {@link keep} was called. */
  release(): void;
  /** Makes {@link release} keep the files. */
  keep(): void;
}

/**
 * Creates and locks a data directory.
 *
 * @param reset - deletes the existing chain first; `null` to continue it
 * @throws {ConfigError} when files to delete are not this program's; nothing was deleted then
 * @throws {StorageError} when it cannot be created or written, or another process uses it
 */
export function takeFolder(folder: string, reset: ResetRequest | null = null): LockedFolder {
  // Checked before a lock is created in a folder that may not be this program's.
  if (reset !== null) checkReset(folder, reset);
  if (existsSync(join(folder, RESTORE_FOLDER))) {
    throw new StorageError(
      "STORAGE_NOT_RESTORED",
      `a restore to the data directory ${folder} did not finish; run \`appchain db restore\` again`,
    );
  }
  if (existsSync(join(folder, IMPORT_FOLDER))) {
    throw new StorageError(
      "STORAGE_NOT_IMPORTED",
      `an import to the data directory ${folder} did not finish; run \`appchain snapshot import\` again, or delete ${IMPORT_FOLDER} in it`,
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
  // Only the lock guarantees that no other process creates files here.
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
          for (const suffix of DATABASE_SUFFIXES)
            rmSync(join(folder, name + suffix), { force: true });
        }
      }
      lock.release();
      if (!isKept) removeFolders(folder, created);
    },
  };
}

/** Checks again, because files may have appeared before the lock was taken. */
function deleteLocked(folder: string, reset: ResetRequest, lock: FolderLock): number {
  try {
    checkReset(folder, reset);
    return deleteChain(folder, reset);
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** @returns the topmost folder that was created; `undefined` if all existed */
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

/** Removes the empty folders from `folder` up to `topmost`. */
function removeFolders(folder: string, topmost: string | undefined): void {
  if (topmost === undefined) return;
  try {
    for (let path = folder; path.length >= topmost.length; path = dirname(path)) rmdirSync(path);
  } catch {
    // Not empty: it stays.
  }
}
