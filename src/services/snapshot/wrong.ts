import { DecodeError, StorageError } from "#base/errors/index.ts";

/** The code of whatever is wrong with a snapshot itself: asking for it again changes nothing. */
export const SNAPSHOT_WRONG = "STORAGE_SNAPSHOT_WRONG";

/** Longest message: names that strangers chose are cut. */
const MAX_MESSAGE = 600;

/**
 * The refusal of a snapshot.
 *
 * @param file - by its name in the snapshot
 * @param message - names the value, what was expected and what was found
 */
export function wrongSnapshot(file: string, message: string, cause?: unknown): StorageError {
  const shown = message.length > MAX_MESSAGE ? `${message.slice(0, MAX_MESSAGE)}...` : message;
  const text = `the snapshot is wrong: ${file}: ${shown}`;
  return new StorageError(SNAPSHOT_WRONG, text, { cause, meta: { file } });
}

/**
 * What `read` gives.
 *
 * @throws {StorageError} {@link SNAPSHOT_WRONG} naming the file where `read` throws a {@link DecodeError}
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
