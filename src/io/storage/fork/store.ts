import { DecodeError, StorageError } from "#base/errors/index.ts";
import { hexFromFelt } from "#base/primitives/index.ts";
import type { BlockHeader } from "#protocol/chain/index.ts";
import { connect } from "../connect.ts";
import { damagedDatabase, isDamage } from "../damage.ts";
import { fileFailure, noRoomSentence } from "../file-failure.ts";
import { NOTHING_DERIVED } from "../file.ts";
import { openFile } from "../open-file.ts";
import { StatementFactory } from "../statement.ts";
import { FORK_MIGRATIONS } from "./migrations.ts";
import { FORK_TABLES } from "./newest.ts";
import type { ForkSchema } from "./schema.ts";
import { LimitedValues } from "./limited-values.ts";
import { forkStatements } from "./statements.ts";
import { decodeForkHeaders, encodeForkHeaders, type StoredFork } from "./stored-fork.ts";

/**
 * Values of a fork's origin that were fetched before. They never change, so several processes may share one
 * file.
 */
export interface ForkStore {
  /**
   * Returns a value; `undefined` when it is not stored.
   *
   * @throws {StorageError} STORAGE_FAILED when the database fails
   */
  get(key: string): Omit<ForkStoreEntry, "key"> | undefined;
  /**
   * Stores values in one transaction. Above the size limit of limited values, those of them are deleted that were
   * not used for the longest time.
   *
   * @throws {StorageError} STORAGE_FAILED when the database fails; no value is then stored
   */
  putAll(entries: Iterable<ForkStoreEntry>): void;
  /** Whether the next {@link putAll} will delete values. */
  isFull(): boolean;
  /**
   * Records that values were used, the last one last.
   *
   * @throws {StorageError} STORAGE_FAILED when the database fails
   */
  use(keys: Iterable<string>): void;
  close(): void;
}

/** Value to store. */
export interface ForkStoreEntry {
  readonly key: string;
  /** `null` when the origin has none. */
  readonly value: Uint8Array | null;
  /** Whether any number of such values may exist: they share a size limit. Others are kept forever. */
  readonly isLimited: boolean;
}

/** Settings of {@link openForkStore}. */
export interface ForkStoreOptions {
  readonly path: string;
  readonly fork: StoredFork;
  /** Approximate maximum size of all limited values, in bytes. */
  readonly maxLimitedBytes: number;
}

const HEADERS_KEY = "fork_headers";

/**
 * Opens or creates the store of a fork.
 *
 * @throws {StorageError} STORAGE_OTHER_CHAIN when the file belongs to another chain or fork block, and as
 *   `openDatabase`
 */
export async function openForkStore({
  path,
  fork,
  maxLimitedBytes,
}: ForkStoreOptions): Promise<ForkStore> {
  const { connection, kysely } = await openFile<ForkSchema>({
    path,
    chainId: fork.chainId,
    mode: "writer",
    durability: "normal",
    migrations: FORK_MIGRATIONS,
    newest: FORK_TABLES,
    derive: NOTHING_DERIVED,
  });
  const statements = forkStatements(new StatementFactory<ForkSchema>(connection, kysely));
  const guarded = <T>(work: () => T): T => {
    try {
      return work();
    } catch (cause) {
      const what = "The values of the fork's origin could not be read or stored.";
      throw new StorageError("STORAGE_FAILED", `${what}${noRoomSentence(cause)}`, { cause });
    }
  };
  let limited: LimitedValues;
  try {
    guarded(() => statements.putMeta.run(HEADERS_KEY, encodeForkHeaders(fork)));
    const stored = guarded(() => statements.meta.get(HEADERS_KEY));
    requireSameFork(path, headersOf(path, stored?.value), fork.header);
    limited = guarded(() => new LimitedValues(statements, maxLimitedBytes));
  } catch (error) {
    connection.close(true);
    throw error;
  }
  return {
    get: (key) =>
      guarded(() => {
        const kept = statements.get.get(key);
        if (kept !== undefined) return { value: kept.value, isLimited: false };
        const value = limited.get(key);
        return value === undefined ? undefined : { value, isLimited: true };
      }),
    putAll(entries) {
      const write = connection.transaction(() => {
        for (const { key, value, isLimited } of entries) {
          if (isLimited) limited.put(key, value);
          else {
            statements.put.run(key, value);
            limited.remove(key);
          }
        }
        limited.trim();
      });
      guarded(() => write.immediate());
    },
    isFull: () => limited.isFull,
    use(keys) {
      const write = connection.transaction(() => limited.use(keys));
      guarded(() => write.immediate());
    },
    close: () => connection.close(true),
  };
}

/**
 * Reads the fork block of a file.
 *
 * @returns `undefined` when the file is missing, or was not completed at its first start
 * @throws {StorageError} STORAGE_DAMAGED or STORAGE_FILE_FAILED when it cannot be read
 */
export function readStoredFork(path: string): StoredFork | undefined {
  if (Bun.file(path).size === 0) return undefined;
  const connection = connect({ path, mode: "reader", durability: "normal" });
  try {
    const table = connection.query("select 1 from sqlite_master where name = 'meta'").get();
    if (table === null) return undefined;
    const valueOf = (key: string): Uint8Array | undefined =>
      connection
        .query<{ value: Uint8Array }, [string]>("select value from meta where key = ?")
        .get(key)?.value;
    const [chainId, headers] = [valueOf("chain_id"), valueOf(HEADERS_KEY)];
    if (chainId === undefined || headers === undefined) return undefined;
    return { chainId: new TextDecoder().decode(chainId), ...headersOf(path, headers) };
  } catch (cause) {
    if (cause instanceof StorageError) throw cause;
    throw isDamage(cause)
      ? damagedDatabase(path, cause)
      : fileFailure(`${path} cannot be read`, cause);
  } finally {
    connection.close(true);
  }
}

function headersOf(path: string, bytes: Uint8Array | undefined): Omit<StoredFork, "chainId"> {
  try {
    const headers = bytes === undefined ? undefined : decodeForkHeaders(bytes);
    if (headers !== undefined) return headers;
  } catch (cause) {
    if (!(cause instanceof DecodeError)) throw cause;
    throw damagedDatabase(path, cause);
  }
  throw damagedDatabase(path, undefined);
}

function requireSameFork(
  path: string,
  { header: found }: Omit<StoredFork, "chainId">,
  fork: BlockHeader,
): void {
  if (found.hash === fork.hash && found.number === fork.number) return;
  const shown = ({ number, hash }: BlockHeader): string => `block ${number} (${hexFromFelt(hash)})`;
  throw new StorageError(
    "STORAGE_OTHER_CHAIN",
    `${path} belongs to a fork at ${shown(found)}, but this fork is at ${shown(fork)}. Start at the first block, or with an empty folder.`,
    { meta: { path } },
  );
}
