import { existsSync, lstatSync, mkdtempSync, readdirSync, rmdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ConfigError, StorageError } from "#base/errors/index.ts";
import { type FolderLock, lockFolder } from "#io/storage/index.ts";

/** Name format that `mkdtemp` creates from {@link PREFIX}. */
const NAME = /^appchain-ephemeral-[A-Za-z0-9]{6}$/;
const PREFIX = "appchain-ephemeral-";
const LOCK = "lock.db";
const CHAIN = "chain";
const MAX_ATTEMPTS = 5;
/** Age below which a folder without a lock may still be in creation. */
const MAKING_MS = 60_000;

/** Temporary folder that is deleted with this process. */
export interface EphemeralFolder {
  /** The data directory, which the user of the folder creates. */
  readonly path: string;
  /**
   * Deletes the folder with its content. An exit handler calls this too, unless the process is killed.
   *
   * @throws {StorageError} when it cannot be deleted
   */
  remove(): void;
}

/**
 * Creates a temporary folder, and deletes those left behind by killed processes.
 *
 * The creator of a folder holds its lock until it ends; the kernel then releases it. Process ids are not
 * compared, so this also works across containers that share a folder.
 *
 * @param parent - the folder for temporary files
 * @param lockOf - throws a StorageError when another process has the folder
 * @throws {ConfigError} when `parent` is not writable
 */
export function takeEphemeralFolder(
  parent: string,
  lockOf: (folder: string) => FolderLock = lockFolder,
): EphemeralFolder {
  sweep(parent);
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    let folder: string;
    try {
      folder = mkdtempSync(join(parent, PREFIX));
    } catch (cause) {
      throw new ConfigError(
        `--ephemeral: no folder can be made in ${parent}; set TMPDIR to one that can be written`,
        [],
        { cause },
      );
    }
    const lock = tryLock(folder, lockOf);
    // Another process took the folder for an abandoned one before it was locked.
    if (lock === undefined || !existsSync(join(folder, LOCK))) continue;
    return held(folder, lock);
  }
  throw new ConfigError(`--ephemeral: no folder in ${parent} can be locked`);
}

function held(folder: string, lock: FolderLock): EphemeralFolder {
  let isThere = true;
  const remove = (): void => {
    if (!isThere) return;
    isThere = false;
    process.off("exit", removeQuietly);
    try {
      deleteFolder(folder);
    } catch (cause) {
      const message = `the temporary folder ${folder} cannot be deleted`;
      throw new StorageError("STORAGE_CANNOT_DELETE", message, { cause });
    } finally {
      lock.release();
    }
  };
  // An orderly stop has already removed the folder; this handles a forced exit.
  const removeQuietly = (): void => {
    try {
      remove();
    } catch {
      // Errors can no longer be reported; a later start deletes the folder.
    }
  };
  process.on("exit", removeQuietly);
  return { path: join(folder, CHAIN), remove };
}

/** Retries, because threads may still write into the folder while the process ends. */
function deleteFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 3, retryDelay: 20 });
}

/** Deletes folders of dead processes, if they belong to this user and have the expected content. */
function sweep(parent: string): void {
  for (const name of readable(parent)) {
    if (!NAME.test(name)) continue;
    const folder = join(parent, name);
    try {
      const found = lstatSync(folder, { throwIfNoEntry: false });
      if (found?.isDirectory() !== true || found.uid !== process.getuid?.()) continue;
      const inside = readdirSync(folder);
      if (inside.length === 0) {
        if (Date.now() - found.mtimeMs > MAKING_MS) rmdirSync(folder);
        continue;
      }
      const isOurs = inside.every((entry) => entry === CHAIN || entry.startsWith(LOCK));
      if (!isOurs || !inside.includes(LOCK)) continue;
      const lock = tryLock(folder);
      if (lock === undefined) continue;
      try {
        deleteFolder(folder);
      } finally {
        lock.release();
      }
    } catch {
      // Not essential: another process was faster, or the folder cannot be deleted.
    }
  }
}

function readable(parent: string): readonly string[] {
  try {
    return readdirSync(parent);
  } catch {
    // Creating a folder there gives a clearer error.
    return [];
  }
}

/** @returns `undefined` if another process holds the lock, or the folder is not writable */
function tryLock(folder: string, lockOf = lockFolder): FolderLock | undefined {
  try {
    return lockOf(folder);
  } catch (error) {
    if (error instanceof StorageError) return undefined;
    throw error;
  }
}
