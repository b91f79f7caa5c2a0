import { lstatSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { VALIDATOR_JOURNALS } from "../../setup/node-files.ts";

/** What a node puts into its folder, in the order in which it can be deleted: see `deleteChain`. */
export const OWN_FILES = [
  // What a `db compact` that was killed left behind.
  "chain.db.compact",
  "execution.journal",
  "commit.journal",
  "validation.journal",
  ...VALIDATOR_JOURNALS,
  "disk.probe",
  "compiled.db",
  "mempool.db",
  "chain.db",
  "block-signing.key",
  "lock.db",
] as const;

/**
 * Where `db restore` keeps what it has not put in place yet. While this folder is in a data directory, the
 * rest of it is not whole.
 */
export const RESTORE_FOLDER = "restore.tmp";

/**
 * Where `snapshot import` makes the chain. While this folder is in a data directory, there is none beside
 * it that is whole.
 */
export const IMPORT_FOLDER = "import.tmp";

/** What SQLite puts beside a database, and the database itself. */
export const BESIDE = ["", "-wal", "-shm", "-journal"] as const;

/** Symbolic links that are followed one after the other; as many as Linux follows. */
const MAX_LINKS = 40;

/**
 * The file of a node that a path leads to, whether or not it exists yet: by its name, over symbolic
 * links, as a relative path, or as another name of the same file.
 *
 * @param folder - the node's folder
 * @param others - paths of files of the node that lie elsewhere
 * @returns the file's own path; `undefined` when the path leads to none
 * @throws what the file system says when a folder on the way cannot be read
 */
export function ownFileAt(
  path: string,
  folder: string,
  others: readonly string[] = [],
): string | undefined {
  const place = placeOf(path);
  const own = OWN_FILES.flatMap((name) => BESIDE.map((beside) => join(folder, name + beside)));
  return [...own, ...others].find((file) => place === placeOf(file) || isSameFile(place, file));
}

/**
 * A path without symbolic links; of what does not exist yet, where it would be made.
 *
 * @throws what the file system says when a folder on the way cannot be read
 */
export function placeOf(path: string, links = MAX_LINKS): string {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found?.isSymbolicLink() === true) {
    if (links === 0) return path;
    // The link's own folder may be reached over links, too.
    const folder = placeOf(dirname(path), links - 1);
    return placeOf(resolve(folder, readlinkSync(path)), links - 1);
  }
  if (found !== undefined) return realpathSync(path);
  const absolute = resolve(path);
  const folder = dirname(absolute);
  return folder === absolute ? absolute : join(placeOf(folder, links), basename(absolute));
}

/** Whether two paths are names of one file: hard links, or a file system that ignores case. */
function isSameFile(path: string, other: string): boolean {
  const [left, right] = [path, other].map((each) => statSync(each, { throwIfNoEntry: false }));
  return left !== undefined && left.dev === right?.dev && left.ino === right.ino;
}
