import { describe, expect, test } from "bun:test";
import type { Database } from "bun:sqlite";
import { StorageError } from "#base/errors/index.ts";
import { createChainReader, openDatabase } from "#io/storage/index.ts";
import { BlockWriter } from "#io/storage/block/writer.ts";
import { CHAIN_MIGRATIONS } from "#io/storage/migrations/index.ts";
import { NOTHING_DERIVED } from "#io/storage/file.ts";
import { openFile } from "#io/storage/open-file.ts";
import { CHUNK_SIZE, chunkId, packChunk } from "#io/storage/transactions/chunk.ts";
import {
  encodeBlockInputs,
  encodedTransaction,
  encodeHeader,
  encodeReceipt,
  type Event,
} from "#protocol/chain/index.ts";
import { blockCommit, testBlockHash, testHeader } from "#test/helpers/blocks.ts";
import { fakeReceipt } from "#test/helpers/fake-chain.ts";
import { INVOKE_V3 } from "#test/helpers/sample-chain.ts";
import { temporaryFolder, type TemporaryFolder } from "#test/helpers/temporary-folder.ts";

/**
 * Chunk of one transaction, as the release with schema 1 wrote it; its event is {@link
 * OLD_EVENT}.
 */
const OLD_CHUNK = Uint8Array.fromHex(
  "28b52ffd20504d020062840f1bb0271dc03c64a4174e18dc16011d6c5904843a81d48c5842b64c3224639b48325c9ba4bad0cfcbea394a674dd4291c5ce64baed3f7c0eafe07d116c60102004ac9afae3906",
);
/** Bloom filter of that chunk, as the same release wrote it. */
const OLD_FILTER = Uint8Array.fromHex("90e3670c3c");
const OLD_EVENT: Event = { fromAddress: 0x70cen, keys: [0x7aan, 0xf1n, 0xf2n], data: [5n, 0n] };
const OLD_BLOCK = 3;

const LATEST = 1024 + 32 + 10;

/** Events of each transaction of a block; some blocks have several chunks, some none. */
function transactionsOf(block: number): Event[][] {
  if (block === OLD_BLOCK) return [[OLD_EVENT]];
  const count = block === 1000 ? 2 * CHUNK_SIZE + 5 : block % 3;
  return Array.from({ length: count }, (_, i) => [
    { fromAddress: BigInt(block % 7), keys: [BigInt(i), BigInt(block)], data: [] },
  ]);
}

/** Creates a database of the first released schema with blocks up to `latest`. */
async function makeOldDatabase(path: string, latest: number): Promise<void> {
  const options = { path, chainId: "SN_TEST", mode: "writer", durability: "normal" } as const;
  const initial = CHAIN_MIGRATIONS["0001-initial"];
  if (initial === undefined) throw new TypeError("the first migration is gone");
  const { connection } = await openFile({
    ...options,
    migrations: { "0001-initial": initial },
    newest: null,
    derive: NOTHING_DERIVED,
  });
  const block = connection.prepare("insert into block values (?, ?, ?, x'01', x'02', 0, ?, 0)");
  const diff = connection.prepare("insert into block_state_diff values (?, x'')");
  const filter = connection.prepare("insert into block_event_filter values (?, ?)");
  const chunk = connection.prepare("insert into transaction_chunk values (?, ?)");
  connection.transaction(() => {
    for (let number = 0; number <= latest; number++) {
      const hash = Uint8Array.fromHex(testBlockHash(number).toString(16).padStart(52, "0"));
      block.run(
        number,
        hash,
        encodeHeader(testHeader(number)),
        encodeBlockInputs({ l1Messages: [] }),
      );
      diff.run(number);
      filter.run(number, OLD_FILTER);
      const all = transactionsOf(number);
      for (let start = 0; start < all.length; start += CHUNK_SIZE) {
        const items = all.slice(start, start + CHUNK_SIZE);
        const packed =
          number === OLD_BLOCK
            ? OLD_CHUNK
            : packChunk({
                transactions: items.map(
                  () => encodedTransaction({ hash: 1n, transaction: INVOKE_V3 }).bytes,
                ),
                receipts: items.map((events) =>
                  encodeReceipt(fakeReceipt({ transactionHash: 1n, events })),
                ),
              });
        chunk.run(chunkId(number, start / CHUNK_SIZE), packed);
      }
    }
  })();
  connection.close(true);
}

const open = (path: string) =>
  openDatabase({ path, chainId: "SN_TEST", mode: "writer", durability: "normal" });

function segmentsOf(connection: Database): unknown[] {
  return connection.query("select id, entries from event_segment order by id").all();
}

/** Event index after storing the blocks one by one. */
async function segmentsWithoutMigration(folder: TemporaryFolder, latest: number) {
  const handle = await open(folder.file("other.db"));
  const blocks = new BlockWriter(handle.statements);
  for (let number = 0; number <= latest; number++) {
    const receipts = transactionsOf(number).map((events) =>
      fakeReceipt({ transactionHash: 1n, events }),
    );
    blocks.insert(blockCommit(number, { receipts }));
  }
  const segments = segmentsOf(handle.connection);
  handle.close();
  return segments;
}

describe("a database of the first released schema", () => {
  for (const latest of [-1, 0, 31, 63, 1023, LATEST]) {
    test(`gets the event index of its blocks up to ${latest}`, async () => {
      using folder = temporaryFolder();
      const path = folder.file("chain.db");
      await makeOldDatabase(path, latest);
      const handle = await open(path);
      expect(segmentsOf(handle.connection)).toEqual(await segmentsWithoutMigration(folder, latest));
      handle.close();
    });
  }

  test("finds its events and loses its block filters", async () => {
    using folder = temporaryFolder();
    const path = folder.file("chain.db");
    await makeOldDatabase(path, LATEST);
    const handle = await open(path);
    const reader = createChainReader(handle);
    const [, ...rest] = OLD_EVENT.keys;
    const query = { addresses: [OLD_EVENT.fromAddress], keys: [[], ...rest.map((key) => [key])] };
    expect(reader.nextEventBlock(query, 0, LATEST)).toBe(OLD_BLOCK);
    expect(reader.nextEventBlock(query, OLD_BLOCK + 1, LATEST)).toBeUndefined();
    expect(reader.receipts(OLD_BLOCK).flatMap(({ events }) => events)).toEqual([OLD_EVENT]);
    const tables = handle.connection
      .query("select name from sqlite_master where name = 'block_event_filter'")
      .all();
    expect(tables).toEqual([]);
    handle.close();
  });

  test("keeps its index when a crash left it without its version", async () => {
    using folder = temporaryFolder();
    const path = folder.file("chain.db");
    await makeOldDatabase(path, 40);
    const migrated = await open(path);
    const segments = segmentsOf(migrated.connection);
    migrated.connection.run("pragma user_version = 1");
    migrated.close();
    const again = await open(path);
    expect(segmentsOf(again.connection)).toEqual(segments);
    again.close();
  });

  test("is left unchanged if a row is damaged", async () => {
    using folder = temporaryFolder();
    const path = folder.file("chain.db");
    await makeOldDatabase(path, 40);
    const initial = await openFile({
      path,
      chainId: "SN_TEST",
      mode: "writer",
      durability: "normal",
      migrations: Object.fromEntries(Object.entries(CHAIN_MIGRATIONS).slice(0, 1)),
      newest: null,
      derive: NOTHING_DERIVED,
    });
    const id = chunkId(20, 0);
    initial.connection.run("update transaction_chunk set items = x'0102' where id = ?", [id]);
    initial.connection.close(true);
    const error = await open(path).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(StorageError);
    expect((error as StorageError).code).toBe("STORAGE_MIGRATION_FAILED");
    const again = await openFile({
      path,
      chainId: "SN_TEST",
      mode: "writer",
      durability: "normal",
      migrations: Object.fromEntries(Object.entries(CHAIN_MIGRATIONS).slice(0, 1)),
      newest: null,
      derive: NOTHING_DERIVED,
    });
    const count = again.connection
      .query<{ n: bigint }, []>("select count(*) as n from block_event_filter")
      .get();
    expect(count).toEqual({ n: 41n });
    again.connection.close(true);
  });
});
