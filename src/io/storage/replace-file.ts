import {
  closeSync,
  fchmodSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";

/** Maximum length of the file name's part in the temporary file's name: names are limited. */
const MAX_NAME = 100;

/**
 * Replaces a file atomically: writes the text to a temporary file in the same folder, flushes it to disk, and
 * renames it. Readers see either the old or the new content.
 *
 * @param path - not a symbolic link, which would be replaced itself
 * @param mode - permissions of the file; it never has more, not even temporarily
 * @throws the file system's error; the file is then unchanged and no temporary file remains
 */
export function replaceFile(path: string, text: string, mode: number): void {
  const temporary = temporaryFor(path);
  const file = makeBeside(temporary, mode);
  try {
    try {
      writeFileSync(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/**
 * Checks whether {@link replaceFile} could write, without touching the file itself.
 *
 * @throws the file system's error if it could not
 */
export function tryReplacing(path: string): void {
  const temporary = temporaryFor(path);
  closeSync(makeBeside(temporary, 0o600));
  rmSync(temporary, { force: true });
}

function temporaryFor(path: string): string {
  return join(dirname(path), `.${basename(path).slice(0, MAX_NAME)}.${process.pid}.tmp`);
}

/** @returns its file descriptor */
function makeBeside(temporary: string, mode: number): number {
  // Removes a leftover of another process with the same id, and ensures that no planted link is followed.
  rmSync(temporary, { force: true });
  const file = openSync(temporary, "wx", mode & 0o777);
  // The exact mode, independent of the process's umask.
  fchmodSync(file, mode & 0o777);
  return file;
}
