import { existsSync, readdirSync, type Stats, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { ConfigError, StorageError } from "#base/errors/index.ts";
import {
  CHAIN_SCHEMA_VERSION,
  fileFailure,
  type FileIdentity,
  fileIdentity,
  type FolderLock,
  lockFolder,
} from "#io/storage/index.ts";

/** Name of the folder that holds the data directories unless an option names another. */
export const DATA_FOLDERS = "appchain-data";

/** A data directory that contains a chain. */
export interface DataFolder extends FileIdentity {
  readonly path: string;
  readonly chainDatabase: string;
  readonly mempoolDatabase: string;
}

/**
 * Finds the data directory that a command works on.
 *
 * @param basePath - the option's value; `null` for the only folder in `appchain-data`
 * @throws {ConfigError} when no folder or several are found, or it contains no chain
 * @throws {StorageError} when its database is not of this program, or of a newer version of it
 */
export function dataFolder(basePath: string | null): DataFolder {
  const path = basePath === null ? onlyFolder() : resolve(basePath);
  const found = lookAt(path);
  if (found === undefined) throw wrongFolder(`there is no folder ${path}`);
  if (!found.isDirectory()) throw wrongFolder(`${path} is not a folder`);
  const chainDatabase = join(path, "chain.db");
  const database = lookAt(chainDatabase);
  if (database === undefined) throw wrongFolder(`${path} contains no chain: it has no chain.db`);
  // Opening a pipe would block forever.
  if (!database.isFile()) throw wrongFolder(`${chainDatabase} is not a file`);
  const identity = fileIdentity(chainDatabase);
  if (identity.schemaVersion > CHAIN_SCHEMA_VERSION) {
    const { schemaVersion: found } = identity;
    const message = `${chainDatabase} has schema version ${found}, but this program supports versions up to ${CHAIN_SCHEMA_VERSION}. Use a newer program.`;
    throw new StorageError("STORAGE_NEWER_SCHEMA", message, { meta: { found } });
  }
  return { ...identity, path, chainDatabase, mempoolDatabase: join(path, "mempool.db") };
}

/** Returns the status of a path; `undefined` when it does not exist. */
function lookAt(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (cause) {
    throw fileFailure(`${path} cannot be read`, cause);
  }
}

/**
 * Opens and locks a data directory that no node uses; the caller must release the lock.
 *
 * @throws {ConfigError} when a restore to it or a move of its fork is incomplete
 * @throws {StorageError} STORAGE_LOCKED when a node uses it
 */
export async function lockedDataFolder(
  basePath: string | null,
): Promise<DataFolder & { readonly lock: FolderLock }> {
  const folder = dataFolder(basePath);
  const lock = lockFolder(folder.path);
  try {
    // Check under the lock, so that no restore can start meanwhile.
    await requireRestored(folder.path);
    return { ...folder, lock };
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function requireRestored(path: string): Promise<void> {
  const { MOVED_CHAIN, RESTORE_FOLDER } = await import("#app/node/index.ts");
  if (existsSync(join(path, RESTORE_FOLDER))) {
    throw wrongFolder(`a restore to ${path} is incomplete: run db restore again`);
  }
  if (existsSync(join(path, MOVED_CHAIN))) {
    throw wrongFolder(`a move of the fork in ${path} is incomplete: start the fork once`);
  }
}

function onlyFolder(): string {
  const parent = resolve(DATA_FOLDERS);
  const names = existsSync(parent) ? readdirSync(parent) : [];
  const folders = names.filter((name) => existsSync(join(parent, name, "chain.db"))).sort();
  const [only, ...others] = folders;
  if (only === undefined) throw wrongFolder(`there is no chain in ${parent}`);
  if (others.length === 0) return join(parent, only);
  const examples = folders.slice(0, 5).join(", ");
  throw wrongFolder(`${parent} contains ${folders.length} chains: ${examples}`);
}

function wrongFolder(reason: string): ConfigError {
  return new ConfigError(`${reason}; name the data directory with --base-path`);
}
