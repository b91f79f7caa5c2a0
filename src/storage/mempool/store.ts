import { Kysely } from "kysely";
import { StorageError } from "#errors/index.ts";
import type { Felt } from "#primitives/index.ts";
import { blobFromUint, uintFromBlob } from "../blob.ts";
import { connect } from "../database.ts";
import { bunSqliteDialect } from "../dialect.ts";
import { type MetaSchema, prepareFile } from "../file.ts";
import { StatementFactory } from "../statement.ts";
import { MEMPOOL_MIGRATIONS } from "./migrations.ts";
import type { MempoolSchema } from "./schema.ts";

/** A received transaction that is not in a block yet. */
export interface MempoolEntry {
  readonly hash: Felt;
  /** Unix milliseconds. */
  readonly receivedAtMs: number;
  /** The transaction and what belongs to it, in the form of its owner. */
  readonly bytes: Uint8Array;
}

/** Received transactions, kept over restarts. One per process and file. */
export interface MempoolStore {
  /**
   * Stores entries in one transaction; known hashes stay as they are. When this returns they survive
   * power loss.
   *
   * @throws {StorageError} STORAGE_FAILED when the database fails (nothing is stored then)
   */
  put(entries: readonly MempoolEntry[]): void;
  /** Removes entries in one transaction; unknown hashes are ignored. */
  remove(hashes: readonly Felt[]): void;
  /** All entries in the order in which they were put. */
  loadAll(): MempoolEntry[];
  close(): void;
}

/**
 * Opens or creates the store of a mempool.
 *
 * @throws {StorageError} as `openDatabase`
 */
export async function openMempoolStore(path: string, chainId: string): Promise<MempoolStore> {
  const connection = connect({ path, mode: "writer", durability: "full" });
  const kysely = new Kysely<MempoolSchema>({ dialect: bunSqliteDialect(connection) });
  try {
    await prepareFile(connection, kysely as unknown as Kysely<MetaSchema>, {
      path,
      chainId,
      mode: "writer",
      migrations: MEMPOOL_MIGRATIONS,
    });
  } catch (error) {
    connection.close();
    throw error;
  }
  const statements = new StatementFactory<MempoolSchema>(connection, kysely);
  const insert = statements.of<[Uint8Array, number, Uint8Array]>()(
    (db, [hash, receivedAtMs, bytes]) =>
      db
        .insertInto("mempool_transaction")
        .values({ hash, received_at_ms: receivedAtMs, bytes })
        .onConflict((conflict) => conflict.column("hash").doNothing()),
  );
  const deleteByHash = statements.of<[Uint8Array]>()((db, [hash]) =>
    db.deleteFrom("mempool_transaction").where("hash", "=", hash),
  );
  const selectAll = statements.of<[]>()((db) =>
    db
      .selectFrom("mempool_transaction")
      .select(["hash", "received_at_ms", "bytes"])
      .orderBy("sequence"),
  );
  const atomically = (work: () => void) => {
    try {
      connection.transaction(work).immediate();
    } catch (cause) {
      throw new StorageError("STORAGE_FAILED", "The mempool could not be stored.", { cause });
    }
  };
  return {
    put(entries) {
      atomically(() => {
        for (const entry of entries) {
          insert.run(blobFromUint(entry.hash), entry.receivedAtMs, entry.bytes);
        }
      });
    },
    remove(hashes) {
      if (hashes.length === 0) return;
      atomically(() => {
        for (const hash of hashes) deleteByHash.run(blobFromUint(hash));
      });
    },
    loadAll: () =>
      selectAll.all().map((row) => ({
        hash: uintFromBlob(row.hash),
        receivedAtMs: Number(row.received_at_ms),
        bytes: row.bytes,
      })),
    close: () => connection.close(),
  };
}
