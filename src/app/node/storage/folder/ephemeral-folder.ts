import { existsSync, lstatSync, mkdtempSync, readdirSync, rmdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ConfigError, StorageError } from "#base/errors/index.ts";
import { type FolderLock, lockFolder } from "#io/storage/index.ts";

/** What `mkdtemp` makes of {@link PREFIX}. */
const NAME = /^appchain-ephemeral-[A-Za-z0-9]{6}$/;
const PREFIX = "appchain-ephemeral-";
const LOCK = "lock.db";
const CHAIN = "chain";
const MAX_ATTEMPTS = 5;
/** A folder without a lock is younger than this while it is being made. */
const MAKING_MS = 60_000;

/** A folder that goes with this process. */
export interface EphemeralFolder {
  /** The data directory; made by who uses it. */
  readonly path: string;
  /**
   * Deletes it with everything in it. The process does so itself when it ends in any way that lets it.
   *
   * @throws {StorageError} when it cannot be deleted
   */
  remove(): void;
}

/**
 * Makes a temporary folder, and deletes those that processes left behind that were killed.
 *
 * Whoever made a folder holds its lock until it ends; the kernel gives it free then. So it does not
 * matter whose process ids are whose, as in containers that share a folder.
 *
 * @param parent - the folder for temporary files
 * @param lockOf - throws a StorageError when another process has the folder
 * @throws {ConfigError} when it cannot be written
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
    // Another process took it for a dead one's before it was locked.
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
  // An orderly stop has removed it before; this is for a process that is made to end.
  const removeQuietly = (): void => {
    try {
      remove();
    } catch {
      // Nobody listens any more; a later start deletes it.
    }
  };
  process.on("exit", removeQuietly);
  return { path: join(folder, CHAIN), remove };
}

/** Threads may still write into it while the process ends. */
function deleteFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 3, retryDelay: 20 });
}

/** Deletes the folders of dead processes, as far as they are this user's and look like ours. */
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
      // It is not needed: another process was quicker, or it cannot be deleted.
    }
  }
}

function readable(parent: string): readonly string[] {
  try {
    return readdirSync(parent);
  } catch {
    // Making a folder there tells more.
    return [];
  }
}

/** @returns `undefined` when another process has it, or it cannot be written */
function tryLock(folder: string, lockOf = lockFolder): FolderLock | undefined {
  try {
    return lockOf(folder);
  } catch (error) {
    if (error instanceof StorageError) return undefined;
    throw error;
  }
}
