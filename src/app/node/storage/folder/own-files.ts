import { lstatSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { VALIDATOR_JOURNALS } from "../../setup/node-files.ts";

/**
 * Name of the chain of a moved fork, which replaces `chain.db`. While it exists, the move is decided and not
 * complete.
 */
export const MOVED_CHAIN = "fork-move.db";

/** Name of the folder in which the chain of a moved fork is created. While it exists, the move is not decided. */
export const STAGED_MOVE = "fork-move.tmp";

/**
 * Name of the chain as it was before a dump was loaded. While it exists, the load is not complete, and a start
 * continues with this chain.
 */
export const CHAIN_BEFORE_LOAD = "before-load.db";

/** Name of the received transactions as they were before a dump was loaded. */
export const MEMPOOL_BEFORE_LOAD = "before-load-mempool.db";

/** Name of {@link CHAIN_BEFORE_LOAD} while it is written. */
export const STAGED_BEFORE_LOAD = "before-load.tmp";

/**
 * Names of the files that a node creates in its folder, in the order in which they can be deleted;
 * see `deleteChain`.
 */
export const OWN_FILES = [
  MOVED_CHAIN,
  STAGED_BEFORE_LOAD,
  CHAIN_BEFORE_LOAD,
  MEMPOOL_BEFORE_LOAD,
  // Left behind by a killed `db compact`.
  "chain.db.compact",
  "execution.journal",
  "commit.journal",
  "validation.journal",
  ...VALIDATOR_JOURNALS,
  "disk.probe",
  "compiled.db",
  "explorer.db",
  "fork.db",
  "mempool.db",
  "chain.db",
  "block-signing.key",
  "lock.db",
] as const;

/**
 * Name of the staging folder of `db restore`. While it exists, its data directory is incomplete.
 */
export const RESTORE_FOLDER = "restore.tmp";

/**
 * Name of the staging folder of `snapshot import`. While it exists, its data directory has no
 * complete chain.
 */
export const IMPORT_FOLDER = "import.tmp";

/** Suffixes of a database and of the files that SQLite creates next to it. */
export const DATABASE_SUFFIXES = ["", "-wal", "-shm", "-journal"] as const;

/** Maximum chain of symbolic links, as on Linux. */
const MAX_LINKS = 40;

/**
 * Resolves a path to a file of the node, whether or not the file exists yet: by its name, through symbolic
 * links, as a relative path, or as another name of the same file.
 *
 * @param folder - the node's folder
 * @param others - paths of files of the node outside the folder
 * @returns the file's own path; `undefined` if the path is not a file of the node
 * @throws file system errors when a folder on the path cannot be read
 */
export function ownFileAt(
  path: string,
  folder: string,
  others: readonly string[] = [],
): string | undefined {
  const place = placeOf(path);
  const own = OWN_FILES.flatMap((name) =>
    DATABASE_SUFFIXES.map((suffix) => join(folder, name + suffix)),
  );
  return [...own, ...others].find((file) => place === placeOf(file) || isSameFile(place, file));
}

/**
 * Resolves symbolic links in a path; for a missing file, returns the path where it would be created.
 *
 * @param links - maximum number of links to resolve; a further link is returned unresolved
 * @throws file system errors when a folder on the path cannot be read
 */
export function placeOf(path: string, links = MAX_LINKS): string {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found?.isSymbolicLink() === true) {
    if (links === 0) return path;
    // The link's own folder may contain links, too.
    const folder = placeOf(dirname(path), links - 1);
    return placeOf(resolve(folder, readlinkSync(path)), links - 1);
  }
  if (found !== undefined) return realpathSync(path);
  const absolute = resolve(path);
  const folder = dirname(absolute);
  return folder === absolute ? absolute : join(placeOf(folder, links), basename(absolute));
}

/** Whether two paths name the same file: hard links, or a case-insensitive file system. */
function isSameFile(path: string, other: string): boolean {
  const [left, right] = [path, other].map((each) => statSync(each, { throwIfNoEntry: false }));
  return left !== undefined && left.dev === right?.dev && left.ino === right.ino;
}
