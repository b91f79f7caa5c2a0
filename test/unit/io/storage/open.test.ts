import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { existsSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { StorageError } from "#base/errors/index.ts";
import {
  CHAIN_SCHEMA_VERSION,
  createChainReader,
  createChainWriter,
  type DatabaseOptions,
  openDatabase,
  openMempoolStore,
} from "#io/storage/index.ts";
import { openFilesIn } from "#test/helpers/open-files.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";

function options(path: string, mode: "writer" | "reader" = "writer"): DatabaseOptions {
  return { path, chainId: "SN_TEST", mode, durability: "normal" };
}

async function failureOf(promise: Promise<unknown>): Promise<StorageError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(StorageError);
  return error as StorageError;
}

describe("a new database", () => {
  test("has this schema", async () => {
    using folder = temporaryFolder();
    const handle = await openDatabase(options(folder.file("chain.db")));
    const rows = handle.connection
      .query<{ sql: string }, []>(
        "select sql from sqlite_master where sql is not null and name not like 'kysely%' order by name",
      )
      .all();
    handle.close();
    expect(rows.map(({ sql }) => sql.replace(/\s+/g, " "))).toMatchSnapshot();
  });

  test("is in write-ahead mode and of the newest schema version", async () => {
    using folder = temporaryFolder();
    const handle = await openDatabase(options(folder.file("chain.db")));
    expect(handle.connection.query("pragma journal_mode").get()).toEqual({ journal_mode: "wal" });
    expect(handle.connection.query("pragma user_version").get()).toEqual({
      user_version: BigInt(CHAIN_SCHEMA_VERSION),
    });
    handle.close();
  });

  test("syncs every commit when durability is full", async () => {
    using folder = temporaryFolder();
    const path = folder.file("chain.db");
    const handle = await openDatabase({ ...options(path), durability: "full" });
    expect(handle.connection.query("pragma synchronous").get()).toEqual({ synchronous: 2n });
    handle.close();
  });
});

describe("close() releases the files", () => {
  // SQLite deletes its log when the last connection of a file is closed.
  test("of a chain", async () => {
    using folder = temporaryFolder();
    const path = folder.file("chain.db");
    const handle = await openDatabase(options(path));
    createChainWriter(handle).putValue("key", Uint8Array.of(7));
    expect(createChainReader(handle).value("key")).toEqual(Uint8Array.of(7));
    expect(existsSync(`${path}-wal`)).toBe(true);
    handle.close();
    expect(existsSync(`${path}-wal`)).toBe(false);
  });

  test("of a mempool", async () => {
    using folder = temporaryFolder();
    const path = folder.file("mempool.db");
    const store = await openMempoolStore(path, "SN_TEST");
    store.forgetRejections(0, 1);
    expect(store.loadAll()).toEqual([]);
    expect(existsSync(`${path}-wal`)).toBe(true);
    await store.sync();
    store.close();
    expect(existsSync(`${path}-wal`)).toBe(false);
    expect(openFilesIn(folder)).toEqual([]);
  });

  test("of a rejected database", async () => {
    using folder = temporaryFolder();
    const path = folder.file("chain.db");
    (await openDatabase(options(path))).close();
    await failureOf(openDatabase({ ...options(path), chainId: "SN_OTHER" }));
    expect(openFilesIn(folder)).toEqual([]);
  });

  test("of a rejected mempool", async () => {
    using folder = temporaryFolder();
    const path = folder.file("mempool.db");
    (await openMempoolStore(path, "SN_TEST")).close();
    await failureOf(openMempoolStore(path, "SN_OTHER"));
    expect(openFilesIn(folder)).toEqual([]);
  });
});

describe("openDatabase rejects", () => {
  test("a database of another chain, naming both", async () => {
    using folder = temporaryFolder();
    const path = folder.file("chain.db");
    (await openDatabase(options(path))).close();
    const error = await failureOf(openDatabase({ ...options(path), chainId: "SN_OTHER" }));
    expect(error.code).toBe("STORAGE_OTHER_CHAIN");
    expect(error.message).toContain("SN_TEST");
    expect(error.message).toContain("SN_OTHER");
  });

  test("a database of a newer schema, naming both versions", async () => {
    using folder = temporaryFolder();
    const path = folder.file("chain.db");
    const handle = await openDatabase(options(path));
    handle.connection.run("pragma user_version = 77");
    handle.close();
    const error = await failureOf(openDatabase(options(path)));
    expect(error.code).toBe("STORAGE_NEWER_SCHEMA");
    expect(error.message).toContain("schema version 77");
    expect(error.message).toContain(`up to ${CHAIN_SCHEMA_VERSION}`);
  });

  test("a reader of an uninitialised database", async () => {
    using folder = temporaryFolder();
    const path = folder.file("chain.db");
    new Database(path, { create: true }).run("create table other (x)");
    const error = await failureOf(openDatabase(options(path, "reader")));
    expect(error.code).toBe("STORAGE_OLDER_SCHEMA");
  });

  test("a reader of a database that does not exist", async () => {
    using folder = temporaryFolder();
    const error = await failureOf(openDatabase(options(folder.file("none.db"), "reader")));
    expect(error.code).toBe("STORAGE_CANNOT_OPEN");
  });

  test("a file that is not a database", async () => {
    using folder = temporaryFolder();
    const path = folder.file("chain.db");
    writeFileSync(path, "no database, but longer than the header of one would be: ".repeat(20));
    const error = await failureOf(openDatabase(options(path)));
    expect(error.code).toBe("STORAGE_DAMAGED");
    expect(error.message).toContain(`${path} is damaged: it does not start with a database header`);
  });

  test.each(["writer", "reader"] as const)("a truncated file, for a %s", async (mode) => {
    using folder = temporaryFolder();
    const path = folder.file("chain.db");
    (await openDatabase(options(path))).close();
    truncateSync(path, statSync(path).size / 2);
    const error = await failureOf(openDatabase(options(path, mode)));
    expect(error.code).toBe("STORAGE_DAMAGED");
    expect(error.message).toMatch(/is damaged: it has \d+ of \d+ bytes, the rest is missing/);
  });
});

describe("the handle of a reader", () => {
  test("cannot change anything", async () => {
    using folder = temporaryFolder();
    const path = folder.file("chain.db");
    const writer = await openDatabase(options(path));
    const reader = await openDatabase(options(path, "reader"));
    expect(() => reader.connection.run("delete from meta")).toThrow();
    expect(() => createChainWriter(reader)).toThrow(StorageError);
    reader.close();
    writer.close();
  });
});

test("an interrupted creation is completed by the next open", async () => {
  using folder = temporaryFolder();
  const path = folder.file("chain.db");
  const first = await openDatabase(options(path));
  first.connection.run("pragma user_version = 0");
  first.connection.run("delete from meta");
  first.close();
  (await openDatabase(options(path))).close();
  const error = await failureOf(openDatabase({ ...options(path), chainId: "SN_OTHER" }));
  expect(error.code).toBe("STORAGE_OTHER_CHAIN");
});
