import { accessSync, constants, existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { StorageError } from "#base/errors/index.ts";
import { fileFailure } from "#io/storage/index.ts";
import { BESIDE, OWN_FILES } from "./own-files.ts";

/**
 * Refuses a data directory in which something else than a file has the name of one of the node's files, or
 * a file cannot be read and written. Changes nothing.
 *
 * @throws {StorageError} STORAGE_FILE_FAILED with the path
 */
export function requirePlainFiles(folder: string): void {
  for (const name of OWN_FILES.flatMap((own) => BESIDE.map((suffix) => own + suffix))) {
    const path = join(folder, name);
    if (!existsSync(path)) continue;
    if (!statSync(path).isFile()) {
      const message = `${path} is no file: the node keeps a file of that name there; move it away`;
      throw new StorageError("STORAGE_FILE_FAILED", message, { meta: { path } });
    }
    try {
      accessSync(path, constants.R_OK | constants.W_OK);
    } catch (cause) {
      throw fileFailure(`${path} cannot be read and written by the node's user`, cause);
    }
  }
}
