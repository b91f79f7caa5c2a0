import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { chainFailure, threadFailure } from "#app/node/setup/damaged-chain.ts";
import { nodeFiles } from "#app/node/setup/node-files.ts";
import { DecodeError, StorageError } from "#base/errors/index.ts";
import { openDatabase, openMempoolStore } from "#io/storage/index.ts";
import { temporaryFolder, type TemporaryFolder } from "#test/helpers/temporary-folder.ts";

const PAGE_BYTES = 4096;

let folder: TemporaryFolder;
beforeEach(async () => {
  folder = temporaryFolder();
  const path = folder.file("chain.db");
  const chain = { path, chainId: "T", mode: "writer", durability: "full" } as const;
  (await openDatabase(chain)).close();
  (await openMempoolStore(folder.file("mempool.db"), "T")).close();
});
afterEach(() => folder[Symbol.dispose]());

/** Corrupts the first page of a table; returns what reading the table throws. */
function spoilTable(file: string, table: string): unknown {
  const path = folder.file(file);
  const bytes = readFileSync(path);
  {
    using database = new Database(path);
    const row = database
      .query<{ rootpage: number }, [string]>("select rootpage from sqlite_master where name = ?")
      .get(table);
    bytes[((row?.rootpage ?? 0) - 1) * PAGE_BYTES] = 0xff;
  }
  writeFileSync(path, bytes);
  using database = new Database(path);
  try {
    database.query(`select * from ${table}`).all();
  } catch (error) {
    return error;
  }
  return undefined;
}

test("names file, table and recovery for a damaged table", () => {
  const error = spoilTable("chain.db", "trie_page");
  const path = folder.file("chain.db");
  expect(chainFailure(path, error)).toMatchObject({
    code: "STORAGE_DAMAGED",
    message: expect.stringMatching(/chain.db is damaged: table trie_page, Tree \d+ .* db restore/),
  });
  expect(threadFailure(nodeFiles(folder.path, null), error)).toMatchObject({
    message: expect.stringMatching(/chain.db is damaged: table trie_page, Tree \d+ .* db restore/),
  });
});

test("names the mempool if that is damaged when a thread fails", () => {
  const error = new StorageError("STORAGE_FAILED", "The mempool could not be stored.", {
    cause: spoilTable("mempool.db", "mempool_transaction"),
  });
  expect(threadFailure(nodeFiles(folder.path, null), error)).toMatchObject({
    message: expect.stringMatching(
      /mempool.db is damaged: table mempool_transaction, .*move it away/,
    ),
  });
});

test("names the folder and both databases for a changed schema when a thread fails", () => {
  using database = new Database(folder.file("mempool.db"));
  let error: unknown;
  try {
    database.query("select gone from mempool_transaction").all();
  } catch (thrown) {
    error = thrown;
  }
  expect(threadFailure(nodeFiles(folder.path, null), error)).toMatchObject({
    code: "STORAGE_DAMAGED",
    message: expect.stringMatching(/is damaged: no such column: gone. It is chain.db where/),
  });
});

test("treats an unreadable row as damage of the chain database", () => {
  const error = new DecodeError("header", "32 bytes");
  expect(chainFailure(folder.file("chain.db"), error)).toMatchObject({
    code: "STORAGE_DAMAGED",
    message: expect.stringContaining("header"),
  });
});

test("leaves other errors unchanged", () => {
  const error = new StorageError("STORAGE_OTHER_CHAIN", "another");
  expect(chainFailure(folder.file("chain.db"), error)).toBe(error);
  expect(threadFailure(nodeFiles(folder.path, null), error)).toBe(error);
});
