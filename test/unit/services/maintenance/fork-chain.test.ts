import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Database } from "bun:sqlite";
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { checkFolder } from "#test/helpers/check-folder.ts";
import { makeForkFolder } from "#test/helpers/fork-folder.ts";
import { temporaryFolder, type TemporaryFolder } from "#test/helpers/temporary-folder.ts";

let folder: TemporaryFolder;
let path: string;

beforeAll(async () => {
  folder = temporaryFolder();
  await makeForkFolder(folder.file("fork"));
  path = join(folder.file("fork"), "chain.db");
});
afterAll(() => folder[Symbol.dispose]());

const check = (database: string) =>
  checkFolder(database, null, { isFork: true, otherChainIds: [] });

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

describe("a chain that continues a block of another one", () => {
  test("is consistent, without a check of its tries", async () => {
    expect(await check(path)).toMatchObject({ blocks: 1, tries: 0, difference: undefined });
  });

  test("has all the headers before its first block", async () => {
    const result = await check(changed("delete from meta where key = 'ancestor_headers'"));
    expect(result.difference).toMatchObject({ table: "meta", field: "ancestor_headers" });
  });

  test("has the values of its first block in the state", async () => {
    const result = await check(changed("update contract_storage set value = x'01'"));
    expect(result.difference).toMatchObject({ blockNumber: 101, table: "contract_storage" });
  });

  test("has no rows without a block", async () => {
    const sql = "insert into contract_nonce values (1, 105, x'01')";
    expect((await check(changed(sql))).difference).toMatchObject({ table: "contract_nonce" });
  });
});
