import { DecodeError, StorageError } from "#base/errors/index.ts";
import { damagedDatabase, isDamage } from "#io/storage/index.ts";

/**
 * The error to report for one that came of a chain database: where the file is damaged, it says so, and how
 * to restore it.
 *
 * @param path - the chain database
 */
export function chainFailure(path: string, error: unknown): unknown {
  const isUnreadable = error instanceof DecodeError;
  if (!isUnreadable && !isDamage(error)) return error;
  const isNamed = error instanceof StorageError && error.code === "STORAGE_DAMAGED";
  const { message } = isNamed ? error : damagedDatabase(path, error);
  return new StorageError("STORAGE_DAMAGED", `${message} ${RESTORE}`, {
    meta: { path },
    cause: error,
  });
}

const RESTORE =
  "To restore it, move the files of the data directory away, all but the signing key, and give `appchain db restore FILE` with a backup; a full node takes the chain again into an empty folder, or from `appchain snapshot import`. `appchain db check` looks for damage that a start does not meet";
