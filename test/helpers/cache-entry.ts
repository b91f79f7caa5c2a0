import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isFullSize } from "./test-size.ts";

const FOLDER = join(import.meta.dir, "../../build/cache");

/** Result that an earlier test run may have stored on disk, as far as JSON preserves it. */
export interface CacheEntry<T> {
  /** The stored result; `undefined` if nothing is stored, and always at full size. */
  read(): T | undefined;
  /** Stores a result for later runs. */
  write(result: T): void;
  /** Removes a stored result. */
  remove(): void;
}

/**
 * Entry of the ignored folder `build/cache`.
 *
 * @param inputs - everything that determines the result: data, settings, the program's version
 */
export function cacheEntry<T>(inputs: readonly string[]): CacheEntry<T> {
  const hash = createHash("sha256");
  for (const input of inputs) hash.update(`${input.length}:`).update(input);
  const path = join(FOLDER, `${hash.digest("hex")}.json`);
  return {
    read: () =>
      isFullSize || !existsSync(path) ? undefined : (JSON.parse(readFileSync(path, "utf8")) as T),
    write(result) {
      mkdirSync(FOLDER, { recursive: true });
      // Other test files may be reading the same entry.
      const temporary = `${path}.${process.pid}`;
      writeFileSync(temporary, JSON.stringify(result));
      renameSync(temporary, path);
    },
    remove: () => rmSync(path, { force: true }),
  };
}
