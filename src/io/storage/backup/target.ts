import { existsSync, lstatSync } from "node:fs";
import { dirname } from "node:path";
import { StorageError } from "#base/errors/index.ts";
import { fileFailure } from "../file-failure.ts";
import { openBackup } from "./read-backup.ts";
import type { CopyStep } from "./trailer.ts";

/** Whether a path is a regular file, not a link to one. */
export function isFile(target: string): boolean {
  try {
    return lstatSync(target, { throwIfNoEntry: false })?.isFile() === true;
  } catch {
    // {@link requireFree} reports the error.
    return false;
  }
}

/**
 * Rejects a backup target that exists, or whose folder is missing.
 *
 * @throws {StorageError} STORAGE_EXISTS, STORAGE_FILE_FAILED
 */
export function requireFree(target: string): void {
  let found;
  try {
    found = lstatSync(target, { throwIfNoEntry: false });
  } catch (cause) {
    throw fileFailure(`the backup ${target} cannot be written`, cause);
  }
  if (found === undefined) {
    if (existsSync(dirname(target))) return;
    const message = `the backup ${target} cannot be written: there is no folder ${dirname(target)}`;
    throw new StorageError("STORAGE_FILE_FAILED", message);
  }
  const what = found.isDirectory()
    ? "is a folder; name a file in it"
    : found.isSymbolicLink()
      ? "is a symbolic link; name the file itself"
      : "exists already; a backup never overwrites";
  throw new StorageError("STORAGE_EXISTS", `${target} ${what}`, { meta: { target } });
}

/**
 * Describes whether a file is a complete backup, and of which chain; reads the whole file.
 *
 * @returns a clause for a message, with advice
 * @throws {StorageError} STORAGE_FILE_FAILED when it cannot be read
 * @throws what `onStep` throws
 */
export async function describeBackup(path: string, onStep: CopyStep): Promise<string> {
  try {
    const backup = openBackup(path);
    try {
      await backup.verify(onStep);
      const { chainId, newestBlock, createdAt } = backup.manifest;
      const content = `chain ${chainId}, newest block ${newestBlock ?? "none"}, made at ${createdAt}`;
      return `it is a complete backup (${content}), which is never overwritten; keep it, or name another file`;
    } finally {
      backup.close();
    }
  } catch (error) {
    if (!(error instanceof StorageError) || error.code !== "STORAGE_BACKUP_DAMAGED") throw error;
    return `it is not a complete backup (${error.message}), and is not overwritten; delete it, or name another file`;
  }
}
