import { AppError } from "#base/errors/index.ts";
import { fileFailure } from "#io/storage/index.ts";

/**
 * Runs work on files.
 *
 * @param what - what has failed if the work throws, for the message
 * @throws {StorageError} STORAGE_FILE_FAILED for an error of the file system; an `AppError` is thrown as it is
 */
export function guarded(what: string, work: () => void): void {
  try {
    work();
  } catch (cause) {
    throw cause instanceof AppError ? cause : fileFailure(what, cause);
  }
}
