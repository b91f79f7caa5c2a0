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

/** Longest part of a file's name that the name of its temporary file repeats: names have limits. */
const MAX_NAME = 100;

/**
 * Writes a file as a whole or not at all: what is written goes to a file beside it first, is flushed to the
 * disk, and takes its place then. Whoever reads it sees the old one or the new one.
 *
 * @param path - no symbolic link: one would be replaced
 * @param mode - of the file; what others may do with it is never more for a moment
 * @throws what the file system says; the file is as it was then, and nothing lies beside it
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
 * Tries whether {@link replaceFile} would have a place to write to. Whoever waits for the file sees nothing
 * of that.
 *
 * @throws what the file system says when it would not
 */
export function tryReplacing(path: string): void {
  const temporary = temporaryFor(path);
  closeSync(makeBeside(temporary, 0o600));
  rmSync(temporary, { force: true });
}

function temporaryFor(path: string): string {
  return join(dirname(path), `.${basename(path).slice(0, MAX_NAME)}.${process.pid}.tmp`);
}

/** @returns its descriptor */
function makeBeside(temporary: string, mode: number): number {
  // What another process of that id left, and no link that someone put there.
  rmSync(temporary, { force: true });
  const file = openSync(temporary, "wx", mode & 0o777);
  // The mode as it is, whatever the process masks.
  fchmodSync(file, mode & 0o777);
  return file;
}
