import { Database } from "bun:sqlite";
import { statSync } from "node:fs";
import { StorageError } from "#base/errors/index.ts";
import { bytesFromFelt, type Felt, feltFromBytes, hexFromFelt } from "#base/primitives/index.ts";
import { damagedDatabase, isDamage } from "./damage.ts";
import { fileFailure } from "./file-failure.ts";

/** Chain that the files of a data directory belong to. */
export interface FileChain {
  readonly chainId: string;
  /** Hash of the first block in the chain database; `null` while it is empty. */
  readonly genesisHash: Felt | null;
}

/** Key under which other databases store the hash of the chain's first block. */
const GENESIS_KEY = "genesis_hash";

/**
 * Binds a database in the data directory to the chain. A missing or empty file is left as it is.
 *
 * @throws {StorageError} STORAGE_OTHER_CHAIN when it belongs to another chain, STORAGE_DAMAGED when it is not
 *   a database or is incomplete, STORAGE_FILE_FAILED when it cannot be read or written
 */
export function bindDatabase(path: string, { chainId, genesisHash }: FileChain): void {
  try {
    if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) === 0) return;
    // A read-only connection would leave SQLite's auxiliary files behind.
    using connection = new Database(path, { readwrite: true, strict: true });
    connection.run("pragma busy_timeout = 5000");
    const found = ownerOf(connection);
    if (found === undefined) return;
    if (found.chainId !== chainId) {
      throw otherChain(path, `chain id \`${found.chainId}\``, `chain id \`${chainId}\``);
    }
    requireSameGenesis(path, found.genesisHash, genesisHash);
    if (found.genesisHash === null && genesisHash !== null) {
      connection.run("insert or replace into meta (key, value) values (?, ?)", [
        GENESIS_KEY,
        bytesFromFelt(genesisHash),
      ]);
    }
  } catch (cause) {
    if (cause instanceof StorageError) throw cause;
    if (isDamage(cause)) throw damagedDatabase(path, cause);
    throw fileFailure(`${path} cannot be read`, cause);
  }
}

/**
 * Rejects a file that belongs to another chain.
 *
 * @param found - first block named by the file; `null` if it names none
 * @param expected - first block of the chain; `null` while the chain is empty
 * @throws {StorageError} STORAGE_OTHER_CHAIN
 */
export function requireSameGenesis(path: string, found: Felt | null, expected: Felt | null): void {
  if (found === null || found === expected) return;
  const chain =
    expected === null ? "has no block" : `begins with block hash ${hexFromFelt(expected)}`;
  throw otherChain(path, `first block hash ${hexFromFelt(found)}`, `chain.db, which ${chain}`);
}

/** @returns `undefined` for a database without tables */
function ownerOf(connection: Database): FileChain | undefined {
  const hasMeta = connection.query("select 1 from sqlite_master where name = 'meta'").get();
  if (hasMeta === null) return undefined;
  const value = (key: string): Uint8Array | undefined =>
    connection
      .query<{ value: Uint8Array }, [string]>("select value from meta where key = ?")
      .get(key)?.value;
  const chainId = value("chain_id");
  const genesis = value(GENESIS_KEY);
  if (chainId === undefined) return undefined;
  return {
    chainId: new TextDecoder().decode(chainId),
    genesisHash: genesis === undefined ? null : feltFromBytes(genesis),
  };
}

function otherChain(path: string, found: string, expected: string): StorageError {
  return new StorageError(
    "STORAGE_OTHER_CHAIN",
    `${path} belongs to another chain: it names ${found}, but this data directory belongs to ${expected}. Restore the file of this chain, or move it away to start without it.`,
    { meta: { path } },
  );
}
