import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { isUnwritten } from "#io/storage/index.ts";
import { storageErrorOf } from "#test/helpers/chain-folder.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";

test("isUnwritten is true only for a database whose creation was interrupted", () => {
  using folder = temporaryFolder();
  const path = folder.file("mempool.db");
  expect(storageErrorOf(() => isUnwritten(path))).toBe("STORAGE_CANNOT_OPEN");
  writeFileSync(path, "");
  expect(isUnwritten(path)).toBe(true);
  const database = new Database(path);
  database.run("pragma journal_mode = wal");
  database.run("create table t (a integer) strict");
  expect(isUnwritten(path)).toBe(false);
  database.run("drop table t");
  expect(isUnwritten(path)).toBe(true);
  database.close();
  writeFileSync(path, "no database".repeat(100));
  expect(storageErrorOf(() => isUnwritten(path))).toBe("STORAGE_CANNOT_OPEN");
});
