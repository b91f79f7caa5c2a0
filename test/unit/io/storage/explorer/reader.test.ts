import { afterEach, beforeEach, expect, test } from "bun:test";
import { renameSync, rmSync, writeFileSync } from "node:fs";
import { StorageError } from "#base/errors/index.ts";
import { ExplorerFile, openExplorerStore } from "#io/storage/index.ts";
import { explorerRows } from "#services/explorer-index/index.ts";
import { explorerBlock } from "#test/helpers/explorer-blocks.ts";
import { temporaryFolder, type TemporaryFolder } from "#test/helpers/temporary-folder.ts";

let folder: TemporaryFolder;
let file: ExplorerFile;

beforeEach(() => {
  folder = temporaryFolder();
  file = new ExplorerFile(folder.file("explorer.db"), "SN_TEST");
});
afterEach(() => {
  file.close();
  folder[Symbol.dispose]();
});

/** Writes an index of empty blocks. */
async function write(name: string, count: number): Promise<void> {
  const store = await openExplorerStore(folder.file(name), "SN_TEST");
  store.append(Array.from({ length: count }, (_, n) => explorerRows(explorerBlock(n, []))));
  store.close();
}

const newest = async (): Promise<number | undefined> => (await file.reader())?.newest()?.number;

test("a missing file has no reader, until it is written", async () => {
  expect(await newest()).toBeUndefined();
  await write("explorer.db", 2);
  expect(await newest()).toBe(1);
});

test("a file that was replaced is opened again", async () => {
  await write("explorer.db", 2);
  expect(await newest()).toBe(1);
  await write("other.db", 5);
  renameSync(folder.file("other.db"), folder.file("explorer.db"));
  for (const suffix of ["-wal", "-shm"]) {
    rmSync(folder.file(`explorer.db${suffix}`), { force: true });
  }
  expect(await newest()).toBe(4);
});

test("a file that was deleted has no reader", async () => {
  await write("explorer.db", 2);
  expect(await newest()).toBe(1);
  rmSync(folder.file("explorer.db"));
  expect(await newest()).toBeUndefined();
});

test("a file of another chain, or that is not built yet, has no reader", async () => {
  writeFileSync(folder.file("explorer.db"), "");
  expect(await newest()).toBeUndefined();
  rmSync(folder.file("explorer.db"));
  (await openExplorerStore(folder.file("explorer.db"), "SN_OTHER")).close();
  expect(await newest()).toBeUndefined();
});

test("a file that is no database is damaged", async () => {
  writeFileSync(folder.file("explorer.db"), "no database".repeat(1_000));
  const refused = await file.reader().catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(StorageError);
  expect((refused as StorageError).code).toBe("STORAGE_DAMAGED");
});
