import { StorageError } from "#base/errors/index.ts";

const FULL_OR_LIMITED = "the disk is full, or a limit on the size of files was reached";

/** What people call the reasons for which there is no room. */
const NO_ROOM: Readonly<Record<string, string>> = {
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EFBIG: "it would be larger than files may be here",
  SQLITE_FULL: "the disk is full",
  SQLITE_IOERR_WRITE: FULL_OR_LIMITED,
  // The file that processes share beside a database is made and grows without a write.
  SQLITE_IOERR_SHMSIZE: FULL_OR_LIMITED,
  SQLITE_IOERR_SHMMAP: FULL_OR_LIMITED,
};

/** What people call the reasons for which files cannot be worked with. */
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
 * The error for a step on a file that the system refused.
 *
 * @param what - what was not done: `the backup /b cannot be written`
 */
export function fileFailure(what: string, cause: unknown): StorageError {
  const code = (cause as { readonly code?: unknown } | null)?.code;
  const known = typeof code === "string" ? REASONS[code] : undefined;
  const told = cause instanceof Error ? cause.message : "unknown reason";
  return new StorageError("STORAGE_FILE_FAILED", `${what}: ${known ?? told}`, {
    cause,
    meta: { reason: typeof code === "string" ? code : null },
  });
}

/**
 * A sentence that says that there is no room, to stand behind one that says what could not be done; empty
 * when that is not why.
 *
 * @param cause - an error; those that caused it are looked at, too
 */
export function noRoomSentence(cause: unknown): string {
  for (let error = cause; error instanceof Error; error = error.cause) {
    const { code } = error as { readonly code?: unknown };
    const reason = typeof code === "string" ? NO_ROOM[code] : undefined;
    if (reason !== undefined) return ` ${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`;
  }
  return "";
}
