import { DecodeError, StorageError } from "#base/errors/index.ts";

/** Error code for every fault of a snapshot itself; a retry does not help. */
export const SNAPSHOT_WRONG = "STORAGE_SNAPSHOT_WRONG";

/** Maximum length of a message: it may contain names from an untrusted snapshot, and is cut. */
const MAX_MESSAGE = 600;

/**
 * Creates the error for a faulty snapshot.
 *
 * @param file - name of the file within the snapshot
 * @param message - names the value, what was expected and what was found
 */
export function wrongSnapshot(file: string, message: string, cause?: unknown): StorageError {
  const shown = message.length > MAX_MESSAGE ? `${message.slice(0, MAX_MESSAGE)}...` : message;
  const text = `the snapshot is wrong: ${file}: ${shown}`;
  return new StorageError(SNAPSHOT_WRONG, text, { cause, meta: { file } });
}

/**
 * Returns the result of `read`.
 *
 * @throws {StorageError} {@link SNAPSHOT_WRONG} naming the file when `read` throws a {@link DecodeError}
 */
export function decoded<T>(file: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    const { got } = error.meta;
    const found = typeof got === "string" ? `, found ${got}` : "";
    throw wrongSnapshot(file, `${error.message}${found}`, error);
  }
}
