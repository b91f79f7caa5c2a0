import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Database } from "bun:sqlite";
import { copyFileSync } from "node:fs";
import { NodeError } from "#base/errors/index.ts";
import { createChainWriter, openDatabase } from "#io/storage/index.ts";
import type { CheckProgress } from "#services/maintenance/index.ts";
import { checkFolder } from "#test/helpers/check-folder.ts";
import { temporaryFolder, type TemporaryFolder } from "#test/helpers/temporary-folder.ts";
import { bySize } from "#test/helpers/test-size.ts";
import {
  makeTrueChain,
  TRUE_CHAIN_ID,
  type TrueChain,
  type TrueGenesis,
} from "#test/helpers/true-chain.ts";

const BLOCKS = bySize({ quick: 26, full: 40 });
const GENESIS = bySize<TrueGenesis>({ quick: "small", full: "devnet" });
const OF_CHAIN = {
  blocks: BLOCKS,
  transactions: bySize({ quick: 2, full: 6 }),
  genesis: GENESIS,
};
/** Blocks of the chain for differences that its length does not change. */
const FEW = bySize({ quick: 4, full: BLOCKS });
const DAMAGED = bySize({ quick: 1, full: 4 });

let folder: TemporaryFolder;
let chain: TrueChain;
let path: string;
let short: TrueChain;
let shortPath: string;

beforeAll(async () => {
  folder = temporaryFolder();
  chain = await makeTrueChain(folder.file("chain"), OF_CHAIN);
  path = folder.file("chain/chain.db");
  short = await makeTrueChain(folder.file("short"), { ...OF_CHAIN, blocks: FEW });
  shortPath = folder.file("short/chain.db");
});
afterAll(() => folder[Symbol.dispose]());

/** A copy of the chain's database, changed by a statement. */
function changed(sql: string, source = path): string {
  const copy = folder.file("changed.db");
  copyFileSync(source, copy);
  using database = new Database(copy);
  database.run("pragma journal_mode = delete");
  database.run(sql);
  return copy;
}

/** Some blocks below another one that have rows in a table. */
function blocksBelow(file: string, table: string, below: number): number[] {
  using database = new Database(file, { readonly: true });
  return database
    .query<{ block: number }, []>(
      `select distinct block from ${table} where block < ${below} order by block desc limit ${DAMAGED}`,
    )
    .all()
    .map(({ block }) => block);
}

/** Column names of a table. */
function columnsOf(table: string): string {
  using database = new Database(path, { readonly: true });
  const sql = `select name from pragma_table_info('${table}')`;
  const rows = database.query<{ name: string }, []>(sql).all();
  return rows.map(({ name }) => name).join(", ");
}

describe("a consistent chain", () => {
  test("is reported with the checked numbers of blocks and tries", async () => {
    const result = await checkFolder(path, chain.publicKey);
    expect(result).toMatchObject({ blocks: BLOCKS + 1, tries: BLOCKS + 1, difference: undefined });
  });

  test("can be checked in part, even beyond its end", async () => {
    const part = await checkFolder(path, chain.publicKey, { from: 10, to: 14 });
    expect(part).toMatchObject({ blocks: 5, difference: undefined });
    const end = await checkFolder(path, chain.publicKey, { from: BLOCKS - 1, to: 1000 });
    expect(end.blocks).toBe(2);
    expect((await checkFolder(path, chain.publicKey, { from: 1000 })).blocks).toBe(0);
  });

  test("can lack pruned proofs and states, and have rebuilt tries", async () => {
    const pruned = folder.file("pruned");
    const retention = { keepProofs: 8, pruneHistory: 20 } as const;
    const made = await makeTrueChain(pruned, { ...OF_CHAIN, retention });
    const database = `${pruned}/chain.db`;
    const result = await checkFolder(database, made.publicKey);
    expect(result).toMatchObject({ blocks: BLOCKS + 1, tries: 8, difference: undefined });
    const handle = await openDatabase({
      path: database,
      chainId: TRUE_CHAIN_ID,
      mode: "writer",
      durability: "normal",
    });
    createChainWriter(handle).revertTo(BLOCKS - 15);
    handle.close();
    const reverted = await checkFolder(database, made.publicKey);
    expect(reverted).toMatchObject({ blocks: BLOCKS - 14, difference: undefined });
  });
});

describe("a difference", () => {
  test("is not searched outside the requested blocks", async () => {
    const number = BLOCKS - 10;
    const copy = changed(`update contract_nonce set nonce = x'77' where block = ${number}`);
    expect((await checkFolder(copy, null, { to: number - 1 })).difference).toBeUndefined();
    expect((await checkFolder(copy, chain.publicKey)).difference).toMatchObject({
      blockNumber: number,
      table: "contract_nonce",
    });
  });

  test("is found in an extra row", async () => {
    const copy = changed("insert into transaction_index values (1, 2)", shortPath);
    expect((await checkFolder(copy, short.publicKey)).difference).toMatchObject({
      blockNumber: null,
      table: "transaction_index",
      field: "number of rows",
    });
  });

  test("is found in a row that belongs to no block, in every table with rows per block", async () => {
    const none: string[] = [];
    for (const [table, row] of Object.entries({
      block_state_diff: `${FEW + 1}, x''`,
      transaction_chunk: `${(FEW + 1) * 2 ** 24}, x''`,
      transaction_index: "1, 2",
      contract_storage: "1, x'ff', 3, x'01'",
      contract_nonce: "12, 1000, x'01'",
      contract_class: "1, 3, x'01'",
      compiled_class_hash: "x'ff', 3, x'01'",
      class: "x'ff', 3, x'', null, 0, 0, 0, null",
      l1_message: "x'ffff', 99, 0, x'01', null",
      trie_page: "1000000, x''",
      trie_root: "2, 3, 7, 0, x''",
      trie_removed: "1000, x'01'",
      event_segment: "9223372036854775800, x''",
      meta: "'other', x'30'",
      contract: "x'ff', 1000",
    })) {
      const columns = columnsOf(table);
      const copy = changed(`insert into ${table} (${columns}) values (${row})`, shortPath);
      const { difference } = await checkFolder(copy, null);
      if (difference?.table !== table) none.push(`${table}: ${JSON.stringify(difference)}`);
    }
    expect(none).toEqual([]);
  }, 60_000);

  test("is found in data that the oldest kept block inherits from pruned ones", async () => {
    const retention = { keepProofs: 8, pruneHistory: 20 } as const;
    await makeTrueChain(folder.file("old"), { ...OF_CHAIN, transactions: 2, retention });
    const source = folder.file("old/chain.db");
    const [oldestTrie, oldestState] = [BLOCKS - 7, BLOCKS - 19];
    const kept = `(select max(block) from contract_storage s where s.contract = contract_storage.contract
      and s.key = contract_storage.key and s.block < ${oldestState})`;
    const found: unknown[] = [];
    for (const sql of [
      "update trie_page set nodes = x'00' where id = (select min(id) from trie_page)",
      `update contract_storage set value = x'7777' where block = ${kept}`,
      `update contract_class set class_hash = x'7777' where block < ${oldestState}`,
    ]) {
      const copy = changed(sql, source);
      const { difference } = await checkFolder(copy, null, { from: oldestTrie, to: oldestTrie });
      found.push([difference?.blockNumber, difference?.table]);
    }
    expect(found).toEqual([
      [oldestTrie, "trie_page"],
      [oldestTrie, "contract_storage"],
      [oldestTrie, "trie_root"],
    ]);
  }, 60_000);

  test("is found in every remaining version of the pruned state", async () => {
    const retention = { keepProofs: 4, pruneHistory: 16 } as const;
    const made = folder.file("history");
    await makeTrueChain(made, { blocks: 24, transactions: 1, retention, genesis: GENESIS });
    const source = `${made}/chain.db`;
    const oldestState = 24 - 15;
    const missed: string[] = [];
    let tried = 0;
    for (const [table, column, key] of [
      ["contract_storage", "value", "contract, key"],
      ["contract_nonce", "nonce", "contract"],
      ["contract_class", "class_hash", "contract"],
      ["compiled_class_hash", "compiled_class_hash", "class_hash"],
    ]) {
      for (const block of blocksBelow(source, `${table}`, oldestState)) {
        const first = `(${key}) = (select ${key} from ${table} where block = ${block} limit 1)`;
        for (const sql of [
          `update ${table} set ${column} = x'7777' where block = ${block} and ${first}`,
          `delete from ${table} where block = ${block} and ${first}`,
          `update ${table} set block = block + 1 where block = ${block} and ${first}`,
        ]) {
          const { difference } = await checkFolder(changed(sql, source), null);
          tried++;
          if (difference?.table !== table) missed.push(sql);
        }
      }
    }
    expect(missed).toEqual([]);
    expect(tried).toBeGreaterThan(5 * DAMAGED);
  }, 120_000);

  test("is found in a mark above the newest block", async () => {
    const sql = "insert or replace into meta values ('l1_accepted_block', x'3939')";
    const copy = changed(sql, shortPath);
    expect((await checkFolder(copy, null)).difference).toMatchObject({
      blockNumber: null,
      table: "meta",
      message: `99 is above the newest block, ${FEW}`,
    });
  });

  test("is found in a signature by another key, if the key is known", async () => {
    const { difference } = await checkFolder(shortPath, short.publicKey + 1n);
    expect(difference?.field).toBe("signature");
    expect((await checkFolder(shortPath, null)).difference).toBeUndefined();
  });

  test("is found in a changed table or index", async () => {
    const copy = changed("drop index class_by_block", shortPath);
    expect((await checkFolder(copy, null)).difference?.table).toBe("class_by_block");
  });

  test("is found in a page of the file that SQLite cannot read", async () => {
    const copy = changed("select 1", shortPath);
    const bytes = new Uint8Array(await Bun.file(copy).arrayBuffer());
    bytes.fill(0xff, bytes.length - 3 * 4096);
    await Bun.write(copy, bytes);
    expect((await checkFolder(copy, null)).difference?.table).toBe("(the file)");
  });
});

test("a check reports progress and can be stopped", async () => {
  const told: CheckProgress[] = [];
  await checkFolder(shortPath, null, { onProgress: (progress) => told.push(progress) });
  expect(told[0]).toEqual({ phase: "file" });
  expect(told.at(-1)).toEqual({ phase: "blocks", done: FEW, total: FEW + 1 });
  let nowMs = 0;
  const stop = checkFolder(path, null, {
    signal: AbortSignal.abort(),
    nowMs: () => (nowMs += 100),
  });
  const error = await stop.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(NodeError);
});
