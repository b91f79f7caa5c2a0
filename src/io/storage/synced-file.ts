import { closeSync, fdatasync, openSync } from "node:fs";
import { StorageError } from "#base/errors/index.ts";
import { noRoomSentence } from "./file-failure.ts";

/** File whose pages, written through another handle of this process, are flushed to disk. */
export interface SyncedFile {
  /**
   * Settles when everything written to the file so far, through any handle, is on disk.
   *
   * @throws {StorageError} STORAGE_FAILED when the disk fails, or the file does not exist
   */
  readonly sync: () => Promise<void>;
  close(): void;
}

/**
 * Flushes a write-ahead log in parallel with the connection that writes it. With `synchronous = full`, SQLite
 * would flush within each commit and block its thread. With `normal`, it flushes the log only before moving
 * pages into the database, and this flushes it after commits that must be durable.
 *
 * The file is opened at the first flush. It stays the same file while the database is open: the log is
 * truncated and overwritten, never replaced. SQLite holds no locks on it that closing could drop.
 */
export function syncedFile(path: string): SyncedFile {
  let descriptor: number | undefined;
  const failure = (cause: unknown): StorageError =>
    new StorageError(
      "STORAGE_FAILED",
      `${path} could not be flushed to the disk.${noRoomSentence(cause)}`,
      {
        cause,
        meta: { path },
      },
    );
  return {
    sync() {
      return new Promise((resolve, reject) => {
        try {
          descriptor ??= openSync(path, "r");
        } catch (cause) {
          reject(failure(cause));
          return;
        }
        fdatasync(descriptor, (error) => {
          if (error === null || error === undefined) resolve();
          else reject(failure(error));
        });
      });
    },
    close() {
      if (descriptor !== undefined) closeSync(descriptor);
      descriptor = undefined;
    },
  };
}
