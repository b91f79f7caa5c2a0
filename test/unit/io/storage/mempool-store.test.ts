import { describe, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { Kysely } from "kysely";
import { connect } from "#io/storage/connect.ts";
import { bunSqliteDialect } from "#io/storage/dialect.ts";
import { type MetaSchema, NOTHING_DERIVED, prepareFile } from "#io/storage/file.ts";
import {
  type MempoolEntry,
  type MempoolRejection,
  openMempoolStore,
  type StoredMempoolEntry,
} from "#io/storage/index.ts";
import { MEMPOOL_MIGRATIONS } from "#io/storage/mempool/migrations.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";

function entry(hash: bigint, content = 1): MempoolEntry {
  return { hash, receivedAtMs: 1_700_000_000_123, bytes: Uint8Array.of(content, 2, 3) };
}

function stored(hash: bigint, content = 1, crashes = 0): StoredMempoolEntry {
  return { ...entry(hash, content), crashes, classSizeBytes: 0 };
}

describe("MempoolStore", () => {
  test("loads entries in the order of arrival after a restart", async () => {
    using folder = temporaryFolder();
    const path = folder.file("mempool.db");
    const store = await openMempoolStore(path, "SN_TEST");
    store.put([entry(9n), entry(3n)]);
    store.put([entry(5n)]);
    store.close();
    const again = await openMempoolStore(path, "SN_TEST");
    expect(again.loadAll()).toEqual([stored(9n), stored(3n), stored(5n)]);
    again.close();
  });

  test("keeps the latest pause of each sender until it is deleted", async () => {
    using folder = temporaryFolder();
    const path = folder.file("mempool.db");
    const store = await openMempoolStore(path, "SN_TEST");
    const pause = (sender: bigint, drops: number, endsAtMs: number) => ({
      sender,
      drops,
      endsAtMs,
    });
    store.write({ pauses: [pause(7n, 1, 3_000), pause(9n, 1, 2_000)] });
    store.write({ pauses: [pause(9n, 2, 4_000)] });
    store.close();
    const again = await openMempoolStore(path, "SN_TEST");
    expect(again.pauses(2_999)).toEqual([pause(7n, 1, 3_000), pause(9n, 2, 4_000)]);
    expect(again.pauses(3_000)).toEqual([pause(9n, 2, 4_000)]);
    again.forgetPauses(3_001);
    expect(again.pauses(0)).toEqual([pause(9n, 2, 4_000)]);
    again.close();
  });

  test("deletes removed entries and ignores unknown ones", async () => {
    using folder = temporaryFolder();
    const store = await openMempoolStore(folder.file("mempool.db"), "SN_TEST");
    store.put([entry(1n), entry(2n)]);
    store.remove([1n, 77n]);
    expect(store.loadAll()).toEqual([stored(2n)]);
    store.close();
  });

  test("keeps the first entry of a hash", async () => {
    using folder = temporaryFolder();
    const store = await openMempoolStore(folder.file("mempool.db"), "SN_TEST");
    store.put([entry(1n, 1)]);
    store.put([entry(1n, 2)]);
    expect(store.loadAll()).toEqual([stored(1n, 1)]);
    store.close();
  });

  test("is rejected for another chain", async () => {
    using folder = temporaryFolder();
    const path = folder.file("mempool.db");
    (await openMempoolStore(path, "SN_TEST")).close();
    const refusal = await openMempoolStore(path, "SN_OTHER").catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: "STORAGE_OTHER_CHAIN" });
  });
});

describe("MempoolStore rejections", () => {
  const rejection = (hash: bigint, rejectedAtMs = 5): MempoolRejection => ({
    hash,
    cause: "rejected",
    reason: `because of ${hash}`,
    rejectedAtMs,
  });

  test("replace their transactions and survive a restart", async () => {
    using folder = temporaryFolder();
    const path = folder.file("mempool.db");
    const store = await openMempoolStore(path, "SN_TEST");
    store.put([entry(1n), entry(2n)]);
    store.write({ reject: [rejection(1n)] });
    store.close();
    const again = await openMempoolStore(path, "SN_TEST");
    expect(again.loadAll()).toEqual([stored(2n)]);
    expect(again.rejectionOf(1n)).toEqual(rejection(1n));
    expect(again.rejectionOf(2n)).toBeUndefined();
    again.close();
  });

  test("are deleted when the transaction is received again", async () => {
    using folder = temporaryFolder();
    const store = await openMempoolStore(folder.file("mempool.db"), "SN_TEST");
    store.write({ reject: [rejection(1n)] });
    store.put([entry(1n)]);
    expect(store.rejectionOf(1n)).toBeUndefined();
    store.close();
  });

  test("are deleted by age, and by number starting with the oldest", async () => {
    using folder = temporaryFolder();
    const store = await openMempoolStore(folder.file("mempool.db"), "SN_TEST");
    store.write({ reject: [1n, 2n, 3n, 4n, 5n].map((hash) => rejection(hash, Number(hash))) });
    const kept = () => [1n, 2n, 3n, 4n, 5n].filter((hash) => store.rejectionOf(hash) !== undefined);
    store.forgetRejections(2, 100);
    expect(kept()).toEqual([2n, 3n, 4n, 5n]);
    store.forgetRejections(0, 2);
    expect(kept()).toEqual([4n, 5n]);
    store.close();
  });

  test("with a fatal cause are listed by hash", async () => {
    using folder = temporaryFolder();
    const path = folder.file("mempool.db");
    const store = await openMempoolStore(path, "SN_TEST");
    store.write({ reject: [rejection(1n), { ...rejection(2n), cause: "fatal" }] });
    store.close();
    const again = await openMempoolStore(path, "SN_TEST");
    expect(again.fatalHashes()).toEqual([2n]);
    again.forgetRejections(9, 100);
    expect(again.fatalHashes()).toEqual([]);
    again.write({ reject: [rejection(3n)] });
    expect(again.rejectionOf(3n)).toEqual(rejection(3n));
    again.close();
  });

  test("have reasons of limited length", async () => {
    using folder = temporaryFolder();
    const store = await openMempoolStore(folder.file("mempool.db"), "SN_TEST");
    store.write({ reject: [{ ...rejection(1n), reason: "x".repeat(1_000_000) }] });
    expect(store.rejectionOf(1n)?.reason.length).toBe(4_003);
    store.close();
  });
});

test("MempoolStore keeps quarantined transactions across a restart until they are released", async () => {
  using folder = temporaryFolder();
  const path = folder.file("mempool.db");
  const store = await openMempoolStore(path, "SN_TEST");
  store.put([entry(1n), entry(2n)]);
  store.write({ quarantine: [{ hash: 2n, crashes: 3 }] });
  store.close();
  const again = await openMempoolStore(path, "SN_TEST");
  expect(again.loadAll()).toEqual([stored(1n), stored(2n, 1, 3)]);
  again.write({ quarantine: [{ hash: 2n, crashes: 0 }] });
  expect(again.loadAll()).toEqual([stored(1n), stored(2n)]);
  again.close();
});

describe("a mempool of the first schema", () => {
  async function firstSchema(path: string, sql?: string): Promise<void> {
    const [first] = Object.entries(MEMPOOL_MIGRATIONS);
    const connection = connect({ path, mode: "writer", durability: "full" });
    const kysely = new Kysely<MetaSchema>({ dialect: bunSqliteDialect(connection) });
    const migrations = Object.fromEntries(first === undefined ? [] : [first]);
    await prepareFile(connection, () => kysely, {
      path,
      chainId: "T",
      mode: "writer",
      migrations,
      newest: null,
      derive: NOTHING_DERIVED,
    });
    connection.run("insert into mempool_transaction values (1, x'07', 1700000000123, x'010203')");
    if (sql !== undefined) connection.run(sql);
    connection.close();
  }

  test("keeps its transactions in a migration", async () => {
    using folder = temporaryFolder();
    const path = folder.file("mempool.db");
    await firstSchema(path);
    const store = await openMempoolStore(path, "T");
    expect(store.loadAll()).toEqual([stored(7n)]);
    expect(store.rejectionOf(7n)).toBeUndefined();
    store.close();
  });

  test("stays unchanged when the migration fails", async () => {
    using folder = temporaryFolder();
    const path = folder.file("mempool.db");
    await firstSchema(path, "create table mempool_rejection_by_time (a integer) strict");
    const refusal = await openMempoolStore(path, "T").catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: "STORAGE_MIGRATION_FAILED" });
    const connection = connect({ path, mode: "writer", durability: "full" });
    const columns = connection.query("pragma table_info(mempool_transaction)").all();
    expect(columns).toHaveLength(4);
    expect(connection.query("pragma user_version").get()).toEqual({ user_version: 1n });
    connection.close();
  });
});

describe("MempoolStore.sync", () => {
  test("does not block the thread and can be repeated", async () => {
    using folder = temporaryFolder();
    const path = folder.file("mempool.db");
    const store = await openMempoolStore(path, "SN_TEST");
    store.put([entry(1n)]);
    let other = false;
    setTimeout(() => (other = true), 0);
    for (let i = 0; i < 50 && !other; i++) await store.sync();
    await Promise.all([store.sync(), store.sync()]);
    store.close();
    const again = await openMempoolStore(path, "SN_TEST");
    expect(again.loadAll()).toEqual([stored(1n)]);
    await again.sync();
    again.close();
  });

  test("fails when the log file is missing", async () => {
    using folder = temporaryFolder();
    const path = folder.file("mempool.db");
    const store = await openMempoolStore(path, "SN_TEST");
    store.put([entry(1n)]);
    rmSync(`${path}-wal`);
    const failure = await store.sync().catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: "STORAGE_FAILED" });
    store.close();
  });
});
