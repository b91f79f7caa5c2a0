import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { Kysely } from "kysely";
import { connect } from "#io/storage/connect.ts";
import { bunSqliteDialect } from "#io/storage/dialect.ts";
import { type MetaSchema, NOTHING_DERIVED, prepareFile } from "#io/storage/file.ts";
import { type MempoolEntry, type MempoolStore, openMempoolStore } from "#io/storage/index.ts";
import { MEMPOOL_MIGRATIONS } from "#io/storage/mempool/migrations.ts";
import type { ClassContents } from "#protocol/chain/index.ts";
import { temporaryFolder, type TemporaryFolder } from "#test/helpers/temporary-folder.ts";

const CLASS: ClassContents = {
  contractClass: new Uint8Array(5000).fill(9),
  casmJson: '{"a":"\u00e9 \u{1f9ea}\\u0000"}',
};

let folder: TemporaryFolder;
let path: string;
let store: MempoolStore;

beforeEach(async () => {
  folder = temporaryFolder();
  path = folder.file("mempool.db");
  store = await openMempoolStore(path, "T");
});
afterEach(() => {
  store.close();
  folder[Symbol.dispose]();
});

/** Reopens the store. */
async function restart(): Promise<void> {
  store.close();
  store = await openMempoolStore(path, "T");
}

/** A stored transaction; a declaration if it has a class. */
function entry(hash: bigint, declared?: ClassContents): MempoolEntry {
  const bytes = Uint8Array.of(Number(hash));
  return { hash, receivedAtMs: 5, bytes, ...(declared === undefined ? {} : { declared }) };
}

describe("the class of a stored declaration", () => {
  test("is read by transaction hash after a restart", async () => {
    const second = { contractClass: Uint8Array.of(1), casmJson: "{}" };
    store.put([entry(1n, CLASS), entry(2n), entry(3n, second)]);
    await restart();
    expect([1n, 2n, 3n, 4n].map((hash) => store.declaredClass(hash))).toEqual([
      CLASS,
      undefined,
      second,
      undefined,
    ]);
  });

  test("may lack compiled code", async () => {
    store.put([entry(1n, { ...CLASS, casmJson: null })]);
    await restart();
    expect(store.declaredClass(1n)).toEqual({ ...CLASS, casmJson: null });
  });

  test("is not loaded with its transaction, which knows its size", async () => {
    store.put([entry(1n, CLASS), entry(2n)]);
    await restart();
    expect(store.loadAll()).toEqual([
      { hash: 1n, receivedAtMs: 5, bytes: Uint8Array.of(1), crashes: 0, classSizeBytes: 5000 },
      { hash: 2n, receivedAtMs: 5, bytes: Uint8Array.of(2), crashes: 0, classSizeBytes: 0 },
    ]);
  });

  test("is not replaced by a second put", () => {
    store.put([entry(1n, CLASS)]);
    store.put([entry(1n, { contractClass: Uint8Array.of(1), casmJson: "{}" })]);
    expect(store.declaredClass(1n)).toEqual(CLASS);
  });

  test.each([
    ["is in a block", { remove: [1n] }],
    [
      "is rejected",
      { reject: [{ hash: 1n, cause: "rejected", reason: "because", rejectedAtMs: 9 }] },
    ],
  ] as const)("is removed with a transaction that %s", async (_, changes) => {
    store.put([entry(1n, CLASS), entry(2n, CLASS)]);
    store.write(changes);
    await restart();
    expect([store.declaredClass(1n), store.declaredClass(2n)]).toEqual([undefined, CLASS]);
    store.put([entry(1n)]);
    expect(store.declaredClass(1n)).toBeUndefined();
  });

  test("is stored atomically with its transaction", () => {
    const broken = { ...entry(2n), bytes: null as unknown as Uint8Array };
    expect(() => store.put([entry(1n, CLASS), broken])).toThrow();
    expect([store.loadAll(), store.declaredClass(1n)]).toEqual([[], undefined]);
  });
});

describe("a mempool of the second schema", () => {
  /** Creates a file of versions without declarations, with one transaction and one rejection. */
  async function secondSchema(old: string): Promise<void> {
    const migrations = Object.fromEntries(Object.entries(MEMPOOL_MIGRATIONS).slice(0, 2));
    const connection = connect({ path: old, mode: "writer", durability: "full" });
    const kysely = new Kysely<MetaSchema>({ dialect: bunSqliteDialect(connection) });
    await prepareFile(connection, () => kysely, {
      path: old,
      chainId: "T",
      mode: "writer",
      migrations,
      newest: null,
      derive: NOTHING_DERIVED,
    });
    connection.run(
      "insert into mempool_transaction values (4, x'07', 1700000000123, x'010203', 2)",
    );
    connection.run("insert into mempool_rejection values (x'08', 6, 'expired', 'too late')");
    connection.close();
  }

  test("keeps its rows in a migration and then accepts classes", async () => {
    const old = folder.file("old.db");
    await secondSchema(old);
    const kept = await openMempoolStore(old, "T");
    kept.put([entry(1n, CLASS)]);
    expect(kept.loadAll()).toMatchObject([
      {
        hash: 7n,
        receivedAtMs: 1_700_000_000_123,
        bytes: Uint8Array.of(1, 2, 3),
        crashes: 2,
        classSizeBytes: 0,
      },
      { hash: 1n, classSizeBytes: 5000 },
    ]);
    expect(kept.rejectionOf(8n)).toMatchObject({ cause: "expired", reason: "too late" });
    expect([kept.declaredClass(7n), kept.declaredClass(1n)]).toEqual([undefined, CLASS]);
    kept.close();
  });
});
