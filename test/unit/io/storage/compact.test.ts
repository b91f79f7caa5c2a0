import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { chmodSync, existsSync, statSync, writeFileSync } from "node:fs";
import { CHAIN_SCHEMA_VERSION, COMPACT_SUFFIX, compactDatabase } from "#io/storage/index.ts";
import { fullCommit, openChainFolder, storageErrorOf } from "#test/helpers/chain-folder.ts";

test("compactDatabase keeps contents and permissions and leaves no free pages", async () => {
  using chain = await openChainFolder();
  for (let number = 0; number < 20; number++) chain.writer.commitBlock(fullCommit(number));
  chain.writer.revertTo(2);
  const path = chain.folder.file("chain.db");
  // Readers of the old log must not see the new file.
  expect(storageErrorOf(() => compactDatabase(path))).toBe("STORAGE_IN_USE");
  chain.reading.close();
  chain.writing.close();
  chmodSync(path, 0o640);
  writeFileSync(path + COMPACT_SUFFIX, "of a compaction that was killed");
  const { bytesBefore, bytesAfter } = compactDatabase(path);
  expect(bytesAfter).toBeLessThan(bytesBefore);
  expect(statSync(path).mode & 0o777).toBe(0o640);
  expect(existsSync(path + COMPACT_SUFFIX)).toBe(false);
  using database = new Database(path, { readonly: true });
  expect(database.query("select count(*) as n from block").get()).toEqual({ n: 3 });
  expect(database.query("pragma freelist_count").get()).toEqual({ freelist_count: 0 });
  expect(database.query("pragma user_version").get()).toEqual({
    user_version: CHAIN_SCHEMA_VERSION,
  });
}, 30_000);

test("compactDatabase rejects other files unchanged", async () => {
  using chain = await openChainFolder();
  const path = chain.folder.file("other.db");
  writeFileSync(path, "no database");
  expect(storageErrorOf(() => compactDatabase(path))).toBe("STORAGE_CANNOT_OPEN");
  expect(await Bun.file(path).text()).toBe("no database");
});
