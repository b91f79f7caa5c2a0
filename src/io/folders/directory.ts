import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { AppError, invariant, StorageError } from "#base/errors/index.ts";
import { fileFailure, syncPath } from "#io/storage/index.ts";
import type { WritableFolder } from "./types.ts";

/** Plain file names: they cannot refer to another folder. */
const NAME = /^[A-Za-z0-9-][A-Za-z0-9.-]{0,99}$/;

/** Suffix of a file while it is being written. */
const PART = ".part";

/** Files in a local directory. Symbolic links are not followed: their targets are outside of the folder. */
export class Directory implements WritableFolder {
  readonly name: string;

  /** @param path - directory, which must exist before the first write */
  constructor(path: string) {
    this.name = path;
  }

  async read(name: string, maxBytes: number): Promise<Uint8Array<ArrayBuffer> | undefined> {
    const path = this.#pathOf(name);
    try {
      return readPlain(path, maxBytes);
    } catch (cause) {
      if (cause instanceof AppError) throw cause;
      const code = (cause as { readonly code?: unknown }).code;
      if (code === "ENOENT") return undefined;
      // Error code of O_NOFOLLOW for a symbolic link.
      if (code === "ELOOP") throw notPlain(path, "a symbolic link");
      throw fileFailure(`${path} cannot be read`, cause);
    }
  }

  async write(name: string, bytes: Uint8Array): Promise<void> {
    const path = this.#pathOf(name);
    try {
      rmSync(path + PART, { force: true });
      const output = openSync(path + PART, "wx", 0o644);
      try {
        for (let at = 0; at < bytes.length;) at += writeSync(output, bytes, at);
        fsyncSync(output);
      } finally {
        closeSync(output);
      }
      renameSync(path + PART, path);
      syncPath(this.name);
    } catch (cause) {
      throw fileFailure(`${path} cannot be written`, cause);
    }
  }

  async remove(name: string): Promise<void> {
    const path = this.#pathOf(name);
    try {
      for (const each of [path + PART, path]) rmSync(each, { force: true });
    } catch (cause) {
      throw fileFailure(`${path} cannot be deleted`, cause);
    }
  }

  #pathOf(name: string): string {
    invariant(NAME.test(name), "a file of a folder has a plain name");
    return join(this.name, name);
  }
}

function readPlain(path: string, maxBytes: number): Uint8Array<ArrayBuffer> {
  // Opening a pipe without a writer would block.
  const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW } = constants;
  const input = openSync(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
  try {
    const stats = fstatSync(input);
    if (!stats.isFile()) throw notPlain(path, "a folder, a pipe or a device");
    if (stats.size > maxBytes) throw tooLong(path, maxBytes);
    const bytes = new Uint8Array(stats.size);
    for (let done = 0; done < bytes.length;) {
      const count = readSync(input, bytes, done, bytes.length - done, done);
      if (count === 0) return bytes.slice(0, done);
      done += count;
    }
    return bytes;
  } finally {
    closeSync(input);
  }
}

function notPlain(path: string, what: string): StorageError {
  return new StorageError("STORAGE_FILE_FAILED", `${path} is ${what}, not a file`);
}

/** Creates the error for a file above its size limit. */
export function tooLong(name: string, maxBytes: number): StorageError {
  return new StorageError(
    "STORAGE_FILE_TOO_LONG",
    `${name} is longer than the limit of ${maxBytes} bytes`,
    { meta: { maxBytes } },
  );
}
