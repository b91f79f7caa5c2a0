import { constants, existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { StorageError } from "#base/errors/index.ts";
import { fileFailure } from "#io/storage/index.ts";
import { DATABASE_SUFFIXES, OWN_FILES } from "./own-files.ts";

/** Files that a node only reads: they may have mode 0400, or be on a read-only mount. */
const READ_ALONE: readonly string[] = ["block-signing.key"];

/**
 * Rejects a data directory in which a file of the node is not a regular file, or lacks read and write access.
 * The signing key needs only read access. Changes nothing.
 *
 * @param access - throws where the process lacks the rights, as `accessSync` of `node:fs` does
 * @throws {StorageError} STORAGE_FILE_FAILED with the path
 */
export function requirePlainFiles(
  folder: string,
  access: (path: string, rights: number) => void,
): void {
  for (const name of OWN_FILES.flatMap((own) => DATABASE_SUFFIXES.map((suffix) => own + suffix))) {
    const path = join(folder, name);
    if (!existsSync(path)) continue;
    if (!statSync(path).isFile()) {
      const message = `${path} is not a file: the node stores a file with that name there; move it away`;
      throw new StorageError("STORAGE_FILE_FAILED", message, { meta: { path } });
    }
    const isReadAlone = READ_ALONE.includes(name);
    try {
      access(path, isReadAlone ? constants.R_OK : constants.R_OK | constants.W_OK);
    } catch (cause) {
      const what = isReadAlone ? "read" : "read and written";
      throw fileFailure(`${path} cannot be ${what} by the node's user`, cause);
    }
  }
}
