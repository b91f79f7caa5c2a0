import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Database } from "bun:sqlite";
import { copyFileSync } from "node:fs";
import { NodeError } from "#base/errors/index.ts";
import { createChainWriter, openDatabase } from "#io/storage/index.ts";
import type { CheckProgress } from "#services/maintenance/index.ts";
import { checkFolder } from "#test/helpers/check-folder.ts";
import { temporaryFolder, type TemporaryFolder } from "#test/helpers/temporary-folder.ts";
import { makeTrueChain, TRUE_CHAIN_ID, type TrueChain } from "#test/helpers/true-chain.ts";

const BLOCKS = 40;

let folder: TemporaryFolder;
let chain: TrueChain;
let path: string;

beforeAll(async () => {
  folder = temporaryFolder();
  chain = await makeTrueChain(folder.file("chain"), { blocks: BLOCKS, transactions: 6 });
  path = folder.file("chain/chain.db");
});
afterAll(() => folder[Symbol.dispose]());

/** A copy of the chain's database in which something was done. */
function changed(sql: string): string {
  const copy = folder.file("changed.db");
  copyFileSync(path, copy);
  using database = new Database(copy);
  database.run("pragma journal_mode = delete");
  database.run(sql);
  return copy;
}

describe("a chain without a difference", () => {
  test("is told with what was looked at", async () => {
    const result = await checkFolder(path, chain.publicKey);
    expect(result).toMatchObject({ blocks: BLOCKS + 1, tries: BLOCKS + 1, difference: undefined });
  });

  test("is checked in a part, whose end need not be there", async () => {
    const part = await checkFolder(path, chain.publicKey, { from: 10, to: 14 });
    expect(part).toMatchObject({ blocks: 5, difference: undefined });
    const end = await checkFolder(path, chain.publicKey, { from: 39, to: 1000 });
    expect(end.blocks).toBe(2);
    expect((await checkFolder(path, chain.publicKey, { from: 1000 })).blocks).toBe(0);
  });

  test("may have forgotten proofs and states, or tries that were built again", async () => {
    const pruned = folder.file("pruned");
    const retention = { keepProofs: 8, pruneHistory: 20 } as const;
    const made = await makeTrueChain(pruned, { blocks: BLOCKS, transactions: 6, retention });
    const database = `${pruned}/chain.db`;
    const result = await checkFolder(database, made.publicKey);
    expect(result).toMatchObject({ blocks: BLOCKS + 1, tries: 8, difference: undefined });
    const handle = await openDatabase({
      path: database,
      chainId: TRUE_CHAIN_ID,
      mode: "writer",
      durability: "normal",
    });
    createChainWriter(handle).unwindTo(25);
    handle.close();
    const reverted = await checkFolder(database, made.publicKey);
    expect(reverted).toMatchObject({ blocks: 26, difference: undefined });
  });
});

describe("a difference", () => {
  test("is not looked for in other blocks than those that are asked for", async () => {
    const copy = changed("update contract_nonce set nonce = x'77' where block = 30");
    expect((await checkFolder(copy, chain.publicKey, { to: 29 })).difference).toBeUndefined();
    expect((await checkFolder(copy, chain.publicKey)).difference).toMatchObject({
      blockNumber: 30,
      table: "contract_nonce",
    });
  });

  test("is a row too many", async () => {
    const copy = changed("insert into transaction_index values (1, 2)");
    expect((await checkFolder(copy, chain.publicKey)).difference).toMatchObject({
      blockNumber: null,
      table: "transaction_index",
      field: "number of rows",
    });
  });

  test("is a signature by another key, where the key is known", async () => {
    expect((await checkFolder(path, chain.publicKey + 1n)).difference?.field).toBe("signature");
    expect((await checkFolder(path, null)).difference).toBeUndefined();
  });

  test("is a table or an index of another form", async () => {
    const copy = changed("drop index class_by_block");
    expect((await checkFolder(copy, null)).difference?.table).toBe("class_by_block");
  });

  test("is a page of the file that SQLite cannot read", async () => {
    const copy = changed("select 1");
    const bytes = new Uint8Array(await Bun.file(copy).arrayBuffer());
    bytes.fill(0xff, bytes.length - 3 * 4096);
    await Bun.write(copy, bytes);
    expect((await checkFolder(copy, null)).difference?.table).toBe("(the file)");
  });
});

test("a check tells how far it is and can be stopped", async () => {
  const told: CheckProgress[] = [];
  await checkFolder(path, null, { onProgress: (progress) => told.push(progress) });
  expect(told[0]).toEqual({ phase: "file" });
  expect(told.at(-1)).toEqual({ phase: "blocks", done: BLOCKS, total: BLOCKS + 1 });
  let nowMs = 0;
  const stop = checkFolder(path, null, {
    signal: AbortSignal.abort(),
    nowMs: () => (nowMs += 100),
  });
  const error = await stop.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(NodeError);
});
