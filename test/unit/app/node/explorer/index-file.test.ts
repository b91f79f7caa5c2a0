import { expect, test } from "bun:test";
import { readdirSync, renameSync } from "node:fs";
import { IndexFile } from "#app/node/explorer/index-file.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";

test("a file is in place until it is deleted or replaced", async () => {
  using folder = temporaryFolder();
  const file = new IndexFile(folder.file("explorer.db"), "SN_TEST");
  expect(file.isInPlace()).toBe(false);
  const store = await file.open();
  expect(file.isInPlace()).toBe(true);
  const other = await new IndexFile(folder.file("other.db"), "SN_TEST").open();
  renameSync(folder.file("other.db"), folder.file("explorer.db"));
  expect(file.isInPlace()).toBe(false);
  other.close();
  store.close();
});

test("removing leaves nothing, and is repeatable", async () => {
  using folder = temporaryFolder();
  const file = new IndexFile(folder.file("explorer.db"), "SN_TEST");
  const store = await file.open();
  file.remove();
  file.remove();
  expect([readdirSync(folder.path), file.isInPlace()]).toEqual([[], false]);
  store.close();
});
