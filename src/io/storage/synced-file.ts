import { closeSync, fdatasync, openSync } from "node:fs";
import { StorageError } from "#base/errors/index.ts";
import { noRoomSentence } from "./file-failure.ts";

/** A file whose written pages another handle of this process sends to the disk. */
export interface SyncedFile {
  /**
   * Settles when what was written to the file so far, by whichever handle, is on the disk.
   *
   * @throws {StorageError} STORAGE_FAILED when the disk fails; also when the file is not there
   */
  readonly sync: () => Promise<void>;
  close(): void;
}

/**
 * Flushes a write-ahead log beside the connection that writes it. SQLite would do that within each
 * commit (`synchronous = full`) and hold up its thread; with `normal` it flushes the log only before
 * it moves pages into the database, and this does so after commits that have to last.
 *
 * The file is opened at the first flush. It stays the same file as long as the database is open: the
 * log is cut and overwritten, never replaced. SQLite holds no locks on it that closing could drop.
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
