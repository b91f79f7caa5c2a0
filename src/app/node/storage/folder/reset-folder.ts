import { Database } from "bun:sqlite";
import { existsSync, lstatSync, readdirSync, realpathSync, rmSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join, sep } from "node:path";
import { ConfigError, StorageError } from "#base/errors/index.ts";
import type { NodeOptions } from "../../setup/node-options.ts";
import { DATABASE_SUFFIXES, OWN_FILES } from "./own-files.ts";

/** Context of `--reset`. */
export interface ResetRequest {
  /** Files named by the operator that may be in the folder and stay. Absolute paths. */
  readonly others: readonly string[];
  /** The operator's home directory. */
  readonly home: string;
}

/** Derives the reset request from a node's options; `null` without `--reset`. */
export function resetOf({
  reset,
  configOut,
  privateKeyFile,
}: Pick<NodeOptions, "reset" | "configOut" | "privateKeyFile">): ResetRequest | null {
  if (!reset) return null;
  const others = [configOut, privateKeyFile].filter((file) => file !== null);
  return { others, home: homedir() };
}

const LOCK = "lock.db";
const DATABASES = ["compiled.db", "explorer.db", "fork.db", "mempool.db", "chain.db"];
/** Smallest page of a database. Source: SQLite file format, 1.3.2. */
const MIN_PAGE_BYTES = 512;
/** Maximum file names in a refusal. */
const MAX_SHOWN = 5;

/**
 * Refuses to delete anything but a data directory of this program: everything in it has to be a file that a
 * node creates, and the databases have to belong to a chain. Changes nothing.
 *
 * A missing or empty folder is accepted: there is nothing to delete.
 *
 * @throws {ConfigError} that names the unexpected content
 */
export function checkReset(folder: string, request: ResetRequest): void {
  try {
    lookInto(folder, request);
  } catch (cause) {
    if (cause instanceof ConfigError) throw cause;
    const code = (cause as { readonly code?: unknown } | null)?.code;
    const reason = typeof code === "string" ? code : "unknown reason";
    throw refused(folder, `cannot be inspected (${reason})`, cause);
  }
}

function lookInto(folder: string, { others, home }: ResetRequest): void {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (found.isSymbolicLink()) throw refused(folder, "is a symbolic link");
  if (!found.isDirectory()) throw refused(folder, "is not a directory");
  const real = realpathSync(folder);
  if (isAbove(real, "/") || (existsSync(home) && isAbove(real, realpathSync(home)))) {
    throw refused(folder, "is the root or a home directory, or above one");
  }
  const names = readdirSync(folder)
    .filter((name) => !isOther(folder, name, others))
    .sort();
  if (names.length === 0) return;
  const own = new Set<string>(
    OWN_FILES.flatMap((name) => DATABASE_SUFFIXES.map((suffix) => name + suffix)),
  );
  const foreign = names
    .filter((name) => !own.has(name) || !lstatSync(join(folder, name)).isFile())
    .map((name) => (own.has(name) ? `${name} (not a plain file)` : name));
  if (foreign.length > 0) {
    const more = foreign.length > MAX_SHOWN ? ` and ${foreign.length - MAX_SHOWN} more` : "";
    throw refused(folder, `holds ${foreign.slice(0, MAX_SHOWN).join(", ")}${more}`);
  }
  if (!names.includes(LOCK)) throw refused(folder, `lacks ${LOCK}, which every node creates`);
  for (const name of DATABASES.filter((database) => names.includes(database))) {
    if (!isOwnDatabase(folder, name))
      throw refused(folder, `holds a ${name} that does not belong to a chain`);
  }
}

/**
 * Deletes the chain of a folder that {@link checkReset} accepted and this process has locked, except the
 * lock.
 *
 * The order ensures that a crash in between leaves a chain that can be continued, or none: a database is
 * deleted before its log, which is useless without it.
 *
 * @returns the number of deleted files
 * @throws {StorageError} STORAGE_CANNOT_DELETE when one of them cannot be deleted
 */
export function deleteChain(folder: string, { others }: ResetRequest): number {
  const names = new Set(readdirSync(folder));
  const own = OWN_FILES.filter((name) => name !== LOCK && !isOther(folder, name, others));
  const files = own.flatMap((name) => DATABASE_SUFFIXES.map((suffix) => name + suffix));
  const present = files.filter((name) => names.has(name));
  for (const name of present) {
    try {
      rmSync(join(folder, name));
    } catch (cause) {
      const message = `--reset: ${join(folder, name)} cannot be deleted; start with --reset again`;
      throw new StorageError("STORAGE_CANNOT_DELETE", message, { cause });
    }
  }
  return present.length;
}

/** Whether `path` is `below` or a folder that contains it. */
function isAbove(path: string, below: string): boolean {
  return path === below || below.startsWith(path.endsWith(sep) ? path : path + sep);
}

function isOther(folder: string, name: string, others: readonly string[]): boolean {
  return others.some((other) => basename(other) === name && dirname(other) === folder);
}

/** Whether a database is empty, or names its chain. Leaves no SQLite files behind. */
function isOwnDatabase(folder: string, name: string): boolean {
  const path = join(folder, name);
  const before = new Set(readdirSync(folder));
  try {
    const { size } = statSync(path);
    if (size === 0) return true;
    using database = new Database(path, { readonly: true });
    const isUnwritten = database.query("select 1 from sqlite_master").get() === null;
    // SQLite treats a file shorter than a page as an empty database, whatever its content.
    if (isUnwritten) return size >= MIN_PAGE_BYTES;
    return database.query("select value from meta where key = 'chain_id'").get() !== null;
  } catch {
    // Not a database, not this program's, or no longer readable.
    return false;
  } finally {
    for (const suffix of DATABASE_SUFFIXES.slice(1)) {
      if (!before.has(name + suffix)) rmSync(path + suffix, { force: true });
    }
  }
}

function refused(folder: string, found: string, cause?: unknown): ConfigError {
  const what = "it deletes only a data directory of this program";
  const message = `--reset: ${folder} ${found}; ${what}; nothing was deleted`;
  return new ConfigError(message, [], { cause });
}
