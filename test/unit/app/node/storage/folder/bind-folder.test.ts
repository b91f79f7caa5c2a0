import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { bindDatabases, bindJournals } from "#app/node/storage/folder/bind-folder.ts";
import { nodeFiles } from "#app/node/setup/node-files.ts";
import { bindExecutionJournal, openCompiledClasses, openMempoolStore } from "#io/storage/index.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";

const CHAIN = { chainId: "T", genesisHash: 7n };

/** Renames a column that every file has. */
function rename(path: string): void {
  using database = new Database(path);
  database.run("alter table meta rename column key to kex");
}

test("deletes compiled classes with another schema, with a warning", async () => {
  using folder = temporaryFolder();
  const files = nodeFiles(folder.path, null);
  const path = files.compiledDatabase;
  (await openCompiledClasses({ path, chainId: "T", compiler: "test" })).close();
  rename(path);
  const warned: unknown[] = [];
  bindDatabases(files, CHAIN, { warn: (...line) => void warned.push(line) });
  expect(existsSync(path)).toBe(false);
  expect(warned).toEqual([
    ["classes are compiled again", { reason: expect.stringContaining(path) }],
  ]);
});

test.each([
  ["block 0", { ...CHAIN, genesisHash: 8n }],
  ["chain id", { ...CHAIN, chainId: "U" }],
])("deletes compiled classes of a chain with another %s, with a warning", async (_, other) => {
  using folder = temporaryFolder();
  const files = nodeFiles(folder.path, null);
  const path = files.compiledDatabase;
  (await openCompiledClasses({ path, chainId: "T", compiler: "test" })).close();
  const warned: unknown[] = [];
  const log = { warn: (...line: unknown[]) => void warned.push(line) };
  bindDatabases(files, CHAIN, log);
  expect([existsSync(path), warned]).toEqual([true, []]);
  bindDatabases(files, other, log);
  expect(readdirSync(folder.path)).toEqual([]);
  expect(warned).toEqual([
    ["classes are compiled again", { reason: `${path} belongs to another chain` }],
  ]);
});

test("refuses a mempool with another schema with the remedy, and keeps it", async () => {
  using folder = temporaryFolder();
  const files = nodeFiles(folder.path, null);
  (await openMempoolStore(files.mempoolDatabase, "T")).close();
  rename(files.mempoolDatabase);
  expect(() => bindDatabases(files, CHAIN, { warn: () => undefined })).toThrow(
    /mempool.db cannot be read: .*put back a copy, or move it away/,
  );
  expect(existsSync(files.mempoolDatabase)).toBe(true);
});

test("creates journals for a producer, and only binds existing ones otherwise", () => {
  using folder = temporaryFolder();
  const files = nodeFiles(folder.path, null);
  bindJournals(files, CHAIN, false);
  expect(readdirSync(folder.path)).toEqual([]);
  bindJournals(files, CHAIN, true);
  const made = ["commit.journal", "execution.journal", "validation.journal"];
  expect(readdirSync(folder.path).sort()).toEqual(made);
  for (const name of made) {
    expect(() => bindExecutionJournal(folder.file(name), 8n)).toThrow("belongs to another chain");
  }
});
