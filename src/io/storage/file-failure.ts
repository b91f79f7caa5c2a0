import { StorageError } from "#base/errors/index.ts";

const FULL_OR_LIMITED = "the disk is full, or a limit on the size of files was reached";

/** Descriptions of error codes for lack of space. */
const NO_ROOM: Readonly<Record<string, string>> = {
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EFBIG: "it would be larger than files may be here",
  SQLITE_FULL: "the disk is full",
  SQLITE_IOERR_WRITE: FULL_OR_LIMITED,
  // The shared-memory file of a database is created and grows without a write.
  SQLITE_IOERR_SHMSIZE: FULL_OR_LIMITED,
  SQLITE_IOERR_SHMMAP: FULL_OR_LIMITED,
};

/** Descriptions of error codes for failed file operations. */
const REASONS: Readonly<Record<string, string>> = {
  ...NO_ROOM,
  EACCES: "permission denied",
  EPERM: "permission denied",
  EROFS: "the file system is read-only",
  ENOENT: "there is no such file or folder",
  ENOTDIR: "a part of the path is no folder",
  EISDIR: "it is a folder",
  SQLITE_CANTOPEN: "it cannot be opened",
  SQLITE_READONLY: "it cannot be written",
  SQLITE_BUSY: "another process uses it",
};

/**
 * Creates the error for a failed file operation.
 *
 * @param what - the failed operation: `the backup /b cannot be written`
 */
export function fileFailure(what: string, cause: unknown): StorageError {
  const code = (cause as { readonly code?: unknown } | null)?.code;
  const known = typeof code === "string" ? REASONS[code] : undefined;
  const message = cause instanceof Error ? cause.message : "unknown reason";
  return new StorageError("STORAGE_FILE_FAILED", `${what}: ${known ?? message}`, {
    cause,
    meta: { reason: typeof code === "string" ? code : null },
  });
}

/**
 * Returns a sentence about lack of space to append to an error message; empty for other causes.
 *
 * @param cause - an error; its causes are checked, too
 */
export function noRoomSentence(cause: unknown): string {
  for (let error = cause; error instanceof Error; error = error.cause) {
    const { code } = error as { readonly code?: unknown };
    const reason = typeof code === "string" ? NO_ROOM[code] : undefined;
    if (reason !== undefined) return ` ${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`;
  }
  return "";
}
