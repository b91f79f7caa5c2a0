import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { bindFolder } from "#app/node/folder/bind-folder.ts";
import { nodeFiles } from "#app/node/setup/node-files.ts";
import { openCompiledClasses, openMempoolStore } from "#io/storage/index.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";

const CHAIN = { chainId: "T", genesisHash: 7n };

/** Renames a column that every file is asked for. */
function rename(path: string): void {
  using database = new Database(path);
  database.run("alter table meta rename column key to kex");
}

test("compiled classes in tables of another form are deleted, with a warning", async () => {
  using folder = temporaryFolder();
  const files = nodeFiles(folder.path, null);
  const path = files.compiledDatabase;
  (await openCompiledClasses({ path, chainId: "T", compiler: "test" })).close();
  rename(path);
  const warned: unknown[] = [];
  bindFolder(files, CHAIN, { warn: (...line) => void warned.push(line) });
  expect(existsSync(path)).toBe(false);
  expect(warned).toEqual([
    ["compiled classes are made again", { reason: expect.stringContaining(path) }],
  ]);
});

test("a mempool in tables of another form is refused with what to do, and kept", async () => {
  using folder = temporaryFolder();
  const files = nodeFiles(folder.path, null);
  (await openMempoolStore(files.mempoolDatabase, "T")).close();
  rename(files.mempoolDatabase);
  expect(() => bindFolder(files, CHAIN, { warn: () => undefined })).toThrow(
    /mempool.db cannot be read: .*put back a copy, or move it away/,
  );
  expect(existsSync(files.mempoolDatabase)).toBe(true);
});
