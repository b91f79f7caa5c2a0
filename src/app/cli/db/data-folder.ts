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

/** Where nodes make their data directories unless told otherwise. */
export const DATA_FOLDERS = "appchain-data";

/** A data directory that holds a chain. */
export interface DataFolder extends FileIdentity {
  readonly path: string;
  readonly chainDatabase: string;
  readonly mempoolDatabase: string;
}

/**
 * The data directory that a command works on.
 *
 * @param basePath - as given; `null`: the only one in `appchain-data`
 * @throws {ConfigError} when there is none, several, or it holds no chain
 * @throws {StorageError} when its database is not one of this program, or of a newer version of it
 */
export function dataFolder(basePath: string | null): DataFolder {
  const path = basePath === null ? onlyFolder() : resolve(basePath);
  const found = lookAt(path);
  if (found === undefined) throw wrongFolder(`there is no folder ${path}`);
  if (!found.isDirectory()) throw wrongFolder(`${path} is no folder`);
  const chainDatabase = join(path, "chain.db");
  const database = lookAt(chainDatabase);
  if (database === undefined) throw wrongFolder(`${path} holds no chain: it has no chain.db`);
  // A pipe would be waited for without end.
  if (!database.isFile()) throw wrongFolder(`${chainDatabase} is no file`);
  const identity = fileIdentity(chainDatabase);
  if (identity.schemaVersion > CHAIN_SCHEMA_VERSION) {
    const { schemaVersion: found } = identity;
    const message = `${chainDatabase} has schema version ${found}, but this program knows versions up to ${CHAIN_SCHEMA_VERSION}. Use a newer program.`;
    throw new StorageError("STORAGE_NEWER_SCHEMA", message, { meta: { found } });
  }
  return { ...identity, path, chainDatabase, mempoolDatabase: join(path, "mempool.db") };
}

/** What is there; `undefined` when nothing is. */
function lookAt(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (cause) {
    throw fileFailure(`${path} cannot be read`, cause);
  }
}

/**
 * A data directory that no node uses, held until it is released.
 *
 * @throws {ConfigError} when a restore to it did not come to its end
 * @throws {StorageError} STORAGE_LOCKED when a node has it
 */
export async function heldFolder(
  basePath: string | null,
): Promise<DataFolder & { readonly lock: FolderLock }> {
  const folder = dataFolder(basePath);
  const lock = lockFolder(folder.path);
  try {
    // Only now is it certain that no restore begins meanwhile.
    await requireRestored(folder.path);
    return { ...folder, lock };
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function requireRestored(path: string): Promise<void> {
  const { RESTORE_FOLDER } = await import("#app/node/index.ts");
  if (!existsSync(join(path, RESTORE_FOLDER))) return;
  throw wrongFolder(`a restore to ${path} did not come to its end: give db restore again`);
}

function onlyFolder(): string {
  const parent = resolve(DATA_FOLDERS);
  const names = existsSync(parent) ? readdirSync(parent) : [];
  const folders = names.filter((name) => existsSync(join(parent, name, "chain.db"))).sort();
  const [only, ...others] = folders;
  if (only === undefined) throw wrongFolder(`there is no chain in ${parent}`);
  if (others.length === 0) return join(parent, only);
  const told = folders.slice(0, 5).join(", ");
  throw wrongFolder(`${parent} holds ${folders.length} chains: ${told}`);
}

function wrongFolder(reason: string): ConfigError {
  return new ConfigError(`${reason}; name the data directory with --base-path`);
}
