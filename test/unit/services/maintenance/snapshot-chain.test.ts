import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Database } from "bun:sqlite";
import { copyFileSync } from "node:fs";
import {
  type ChainWriterOptions,
  createChainReader,
  createChainWriter,
  openDatabase,
} from "#io/storage/index.ts";
import { checkFolder } from "#test/helpers/check-folder.ts";
import { addBlocks, copyFrom } from "#test/helpers/snapshot-copy.ts";
import { temporaryFolder, type TemporaryFolder } from "#test/helpers/temporary-folder.ts";
import { bySize } from "#test/helpers/test-size.ts";
import { makeTrueChain, TRUE_CHAIN_ID, type TrueChain } from "#test/helpers/true-chain.ts";

const BLOCKS = 40;
/** First block of the chains from a snapshot. */
const FIRST = 13;

let folder: TemporaryFolder;
let chain: TrueChain;
let path: string;

beforeAll(async () => {
  folder = temporaryFolder();
  chain = await makeTrueChain(folder.file("chain"), {
    blocks: BLOCKS,
    transactions: bySize({ quick: 2, full: 6 }),
    genesis: bySize({ quick: "small", full: "devnet" }),
  });
  path = await fromSnapshot("snapshot.db", {});
});
afterAll(() => folder[Symbol.dispose]());

/** The chain from a snapshot on, in a separate database. */
async function fromSnapshot(name: string, retention: ChainWriterOptions): Promise<string> {
  const made = folder.file(name);
  const source = folder.file("chain/chain.db");
  const options = { path: source, chainId: TRUE_CHAIN_ID, mode: "reader" } as const;
  const reading = await openDatabase({ ...options, durability: "normal" });
  try {
    await copyFrom(reading, FIRST, made, 7);
    await addBlocks(createChainReader(reading), made, TRUE_CHAIN_ID, retention);
  } finally {
    reading.close();
  }
  return made;
}

/** A copy of the database, changed by a statement. */
function changed(sql: string): string {
  const copy = folder.file("changed.db");
  copyFileSync(path, copy);
  using database = new Database(copy);
  database.run("pragma journal_mode = delete");
  const { changes } = database.run(sql);
  expect(changes).toBeGreaterThan(0);
  return copy;
}

describe("a chain from a snapshot", () => {
  test("is consistent from its first block on", async () => {
    const result = await checkFolder(path, chain.publicKey);
    const blocks = BLOCKS + 1 - FIRST;
    expect(result).toMatchObject({ blocks, tries: blocks, difference: undefined });
    const part = await checkFolder(path, chain.publicKey, { from: FIRST + 4, to: FIRST + 6 });
    expect(part).toMatchObject({ blocks: 3, difference: undefined });
  });

  test("can lack states and proofs pruned since", async () => {
    const pruned = await fromSnapshot("pruned.db", { keepProofs: 8, pruneHistory: 20 });
    const blocks = BLOCKS + 1 - FIRST;
    expect(await checkFolder(pruned, chain.publicKey)).toMatchObject({
      blocks,
      tries: 8,
      difference: undefined,
    });
  });
});

describe("a chain from a snapshot without tries", () => {
  test.each([25, FIRST])("is reverted to block %d, with rebuilt tries", async (to) => {
    const kept = { keepProofs: 2, ...(to === FIRST ? {} : { pruneHistory: 20 }) };
    const reverted = await fromSnapshot(`reverted-${to}.db`, kept);
    const options = { path: reverted, chainId: TRUE_CHAIN_ID, mode: "writer" } as const;
    const handle = await openDatabase({ ...options, durability: "normal" });
    createChainWriter(handle, kept).revertTo(to);
    handle.close();
    expect(await checkFolder(reverted, chain.publicKey)).toMatchObject({
      blocks: to + 1 - FIRST,
      tries: 1,
      difference: undefined,
    });
    const source = await openDatabase({
      ...options,
      path: folder.file("chain/chain.db"),
      mode: "reader",
      durability: "normal",
    });
    await addBlocks(createChainReader(source), reverted, TRUE_CHAIN_ID, kept);
    source.close();
    const again = await checkFolder(reverted, chain.publicKey);
    expect(again).toMatchObject({ blocks: BLOCKS + 1 - FIRST, difference: undefined });
  });
});

describe("a check of a chain from a snapshot detects", () => {
  const someClass = `(select rowid from class where declared_block < ${FIRST} and casm is not null limit 1)`;
  test.each([
    [
      "an older value",
      "contract_storage",
      `update contract_storage set value = x'77' where block < ${FIRST} and value <> x''`,
    ],
    [
      "an extra value",
      "contract_storage",
      "insert into contract_storage values (1, x'1234', 3, x'05')",
    ],
    [
      "a nonce without a leaf",
      "trie_root",
      "insert into contract_nonce select max(id), 0, x'05' from contract where id not in (select contract from contract_nonce)",
    ],
    [
      "an older class hash",
      "trie_root",
      `update contract_class set class_hash = (select max(hash) from class where hash <> class_hash) where block < ${FIRST}`,
    ],
    [
      "an older compiled class hash",
      "class",
      `update compiled_class_hash set compiled_class_hash = x'77' where block < ${FIRST}`,
    ],
    [
      "an extra compiled class hash",
      "class",
      "insert into compiled_class_hash values (x'1234', 0, x'05')",
    ],
    ["a missing class", "class", `delete from class where rowid = ${someClass}`],
    [
      "a definition from an earlier block",
      "class",
      `update class set definition = (select definition from class where rowid <> ${someClass} limit 1) where rowid = ${someClass}`,
    ],
    [
      "a missing earlier header",
      "meta",
      "update meta set value = x'0000' where key = 'ancestor_headers'",
    ],
    ["no earlier headers", "meta", "delete from meta where key = 'ancestor_headers'"],
    [
      "another first block",
      "meta",
      "update meta set value = cast('12' as blob) where key = 'oldest_block'",
    ],
    [
      "a later first block",
      "block",
      "update meta set value = cast('14' as blob) where key = 'oldest_block'",
    ],
    ["no first block", "block", "delete from meta where key = 'oldest_block'"],
    [
      "a changed earlier header",
      "meta",
      // Keys and bytes differ in each run: insert a different one than the existing.
      "update meta set value = cast(substr(value, 1, 60) || case substr(value, 61, 1) when x'01' then x'02' else x'01' end || substr(value, 62) as blob) where key = 'ancestor_headers'",
    ],
    ["an entry of the index of events", "event_segment", "delete from event_segment"],
    [
      "a value that no block wrote",
      "contract_storage",
      `insert into contract_storage values (1, x'1234', ${FIRST + 2}, x'05')`,
    ],
    [
      "a message of a later block",
      "l1_message",
      `update l1_message set block = ${FIRST + 1} where block < ${FIRST}`,
    ],
    [
      "a row of the first block",
      "contract_storage",
      `update contract_storage set block = ${FIRST - 1} where block = ${FIRST}`,
    ],
  ])("%s", async (_, table, sql) => {
    const { difference } = await checkFolder(changed(sql), chain.publicKey);
    expect(difference?.table).toBe(table);
  });
});
