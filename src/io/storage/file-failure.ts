import { StorageError } from "#base/errors/index.ts";

/** What people call the reasons for which files cannot be worked with. */
const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EFBIG: "it would be larger than files may be here",
  SQLITE_FULL: "the disk is full",
  SQLITE_IOERR_WRITE: "the disk is full, or a limit on the size of files was reached",
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
