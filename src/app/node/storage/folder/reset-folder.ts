import { Database } from "bun:sqlite";
import { existsSync, lstatSync, readdirSync, realpathSync, rmSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join, sep } from "node:path";
import { ConfigError, StorageError } from "#base/errors/index.ts";
import type { NodeOptions } from "../../setup/node-options.ts";
import { BESIDE, OWN_FILES } from "./own-files.ts";

/** What `--reset` may find in a data directory besides the chain. */
export interface ResetRequest {
  /** Files that the operator named and that may lie there: they stay. Absolute paths. */
  readonly others: readonly string[];
  /** The operator's home directory. */
  readonly home: string;
}

/** What of a node's options a reset needs to know; `null` when there is none. */
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
const DATABASES = ["compiled.db", "mempool.db", "chain.db"];
/** Smallest page of a database. Source: SQLite file format, 1.3.2. */
const MIN_PAGE_BYTES = 512;
/** Names that a refusal tells. */
const MAX_SHOWN = 5;

/**
 * Refuses to delete what is not certainly a data directory of this program: everything in it has to
 * be a file that a node makes, and the databases have to be a chain's. Changes nothing.
 *
 * A folder that does not exist, or is empty, is fine: there is nothing to delete.
 *
 * @throws {ConfigError} that names what was found
 */
export function checkReset(folder: string, request: ResetRequest): void {
  try {
    lookInto(folder, request);
  } catch (cause) {
    if (cause instanceof ConfigError) throw cause;
    const code = (cause as { readonly code?: unknown } | null)?.code;
    const reason = typeof code === "string" ? code : "unknown reason";
    throw refused(folder, `cannot be looked into (${reason})`, cause);
  }
}

function lookInto(folder: string, { others, home }: ResetRequest): void {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (found.isSymbolicLink()) throw refused(folder, "is a symbolic link");
  if (!found.isDirectory()) throw refused(folder, "is no directory");
  const real = realpathSync(folder);
  if (isAbove(real, "/") || (existsSync(home) && isAbove(real, realpathSync(home)))) {
    throw refused(folder, "is the root or a home directory, or above one");
  }
  const names = readdirSync(folder)
    .filter((name) => !isOther(folder, name, others))
    .sort();
  if (names.length === 0) return;
  const own = new Set<string>(OWN_FILES.flatMap((name) => BESIDE.map((beside) => name + beside)));
  const foreign = names
    .filter((name) => !own.has(name) || !lstatSync(join(folder, name)).isFile())
    .map((name) => (own.has(name) ? `${name} (not a plain file)` : name));
  if (foreign.length > 0) {
    const more = foreign.length > MAX_SHOWN ? ` and ${foreign.length - MAX_SHOWN} more` : "";
    throw refused(folder, `holds ${foreign.slice(0, MAX_SHOWN).join(", ")}${more}`);
  }
  if (!names.includes(LOCK)) throw refused(folder, `lacks ${LOCK}, which every node makes`);
  for (const name of DATABASES.filter((database) => names.includes(database))) {
    if (!isOwnDatabase(folder, name)) throw refused(folder, `holds a ${name} that is no chain's`);
  }
}

/**
 * Deletes the chain of a folder that {@link checkReset} accepted and this process has locked, all but
 * the lock.
 *
 * In an order that leaves a chain that can be continued, or none, when the process dies in between:
 * a database goes before its log, which means nothing without it.
 *
 * @returns how many files
 * @throws {StorageError} STORAGE_CANNOT_DELETE when one of them cannot be deleted
 */
export function deleteChain(folder: string, { others }: ResetRequest): number {
  const names = new Set(readdirSync(folder));
  const own = OWN_FILES.filter((name) => name !== LOCK && !isOther(folder, name, others));
  const files = own.flatMap((name) => BESIDE.map((beside) => name + beside));
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

/** Whether `path` is `below` or a folder that it lies in. */
function isAbove(path: string, below: string): boolean {
  return path === below || below.startsWith(path.endsWith(sep) ? path : path + sep);
}

function isOther(folder: string, name: string, others: readonly string[]): boolean {
  return others.some((other) => basename(other) === name && dirname(other) === folder);
}

/** Whether a database is empty, or says which chain it is of. Leaves no files of SQLite behind. */
function isOwnDatabase(folder: string, name: string): boolean {
  const path = join(folder, name);
  const before = new Set(readdirSync(folder));
  try {
    const { size } = statSync(path);
    if (size === 0) return true;
    using database = new Database(path, { readonly: true });
    const isUnwritten = database.query("select 1 from sqlite_master").get() === null;
    // SQLite takes less than a page for an empty database, whatever it says.
    if (isUnwritten) return size >= MIN_PAGE_BYTES;
    return database.query("select value from meta where key = 'chain_id'").get() !== null;
  } catch {
    // No database, none of ours, or one that cannot be read any more.
    return false;
  } finally {
    for (const beside of BESIDE.slice(1)) {
      if (!before.has(name + beside)) rmSync(path + beside, { force: true });
    }
  }
}

function refused(folder: string, found: string, cause?: unknown): ConfigError {
  const what = "it deletes only a data directory of this program";
  const message = `--reset: ${folder} ${found}; ${what}; nothing was deleted`;
  return new ConfigError(message, [], { cause });
}
