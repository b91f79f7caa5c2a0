import { accessSync, constants, realpathSync, type Stats, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { NodeError } from "#base/errors/index.ts";
import { replaceFile } from "#io/storage/index.ts";

/** Mode of a new file. */
const NEW_MODE = 0o666 & ~process.umask();

/** A file that is written completely or not at all. */
export interface WholeFile {
  /** @throws {NodeError} NODE_OUTPUT_FAILED; the old file is then unchanged */
  write(text: string): void;
}

/**
 * Checks that a file can be written, before doing the work for its content. The content goes to a file next
 * to it first, which then replaces it: readers see the old or the new content. A device or a pipe is written
 * directly.
 *
 * @param source - path of a file that must not be overwritten
 * @throws {NodeError} NODE_OUTPUT_FAILED when it is a folder, the source, in a missing folder, or protected
 */
export function wholeFile(path: string, source: string | null): WholeFile {
  const old = attempt(path, () => statSync(path, { throwIfNoEntry: false }));
  if (old === undefined) {
    attempt(path, () => accessSync(dirname(path), constants.W_OK));
    return { write: (text) => attempt(path, () => replaceFile(path, text, NEW_MODE)) };
  }
  if (old.isDirectory()) fail(path, "it is a folder");
  if (source !== null && isSame(old, source)) {
    fail(path, "it is the class that is read");
  }
  attempt(path, () => accessSync(path, constants.W_OK));
  if (!old.isFile()) return { write: (text) => attempt(path, () => writeFileSync(path, text)) };
  // Keep a symbolic link: replace the file that it points to.
  const target = attempt(path, () => realpathSync(path));
  attempt(path, () => accessSync(dirname(target), constants.W_OK));
  return { write: (text) => attempt(path, () => replaceFile(target, text, old.mode)) };
}

function isSame(old: Stats, source: string): boolean {
  try {
    const { ino, dev } = statSync(source);
    return old.isFile() && old.ino === ino && old.dev === dev;
  } catch {
    // Reading the source will report the reason.
    return false;
  }
}

function attempt<T>(path: string, step: () => T): T {
  try {
    return step();
  } catch (error) {
    const code = (error as { readonly code?: unknown } | null)?.code;
    return fail(path, typeof code === "string" ? code : "unknown reason", error);
  }
}

function fail(path: string, reason: string, cause?: unknown): never {
  throw new NodeError("NODE_OUTPUT_FAILED", `${path} cannot be written (${reason})`, { cause });
}
