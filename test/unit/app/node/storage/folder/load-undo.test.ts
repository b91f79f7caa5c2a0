import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { nodeFiles } from "#app/node/setup/node-files.ts";
import { forgetBeforeLoad, keepBeforeLoad, undoLoad } from "#app/node/storage/folder/load-undo.ts";
import { lockFolder } from "#io/storage/index.ts";
import { temporaryFolder, type TemporaryFolder } from "#test/helpers/temporary-folder.ts";

const KEPT = ["block-signing.key", "accounts.json", "compiled.db", "fork.db"];
const DELETED = ["execution.journal", "validation-0.journal", "explorer.db"];

function write(folder: TemporaryFolder, name: string, text: string): void {
  using database = new Database(join(folder.path, name), { create: true });
  database.run("create table if not exists content (text)");
  database.run("delete from content");
  database.run("insert into content values (?)", [text]);
}

function textOf(folder: TemporaryFolder, name: string): string | undefined {
  using database = new Database(join(folder.path, name), { readonly: true });
  return database.query<{ text: string }, []>("select text from content").get()?.text;
}

const namesIn = (folder: TemporaryFolder): readonly string[] =>
  readdirSync(folder.path)
    .filter((name) => !name.startsWith("lock.db"))
    .sort();

/** A folder in which a load has replaced what was there before. */
function loadingFolder(): TemporaryFolder {
  const folder = temporaryFolder();
  for (const name of ["chain.db", "mempool.db"]) write(folder, name, "before");
  for (const name of KEPT) writeFileSync(join(folder.path, name), name);
  keepBeforeLoad(nodeFiles(folder.path, null));
  for (const name of ["chain.db", "mempool.db"]) write(folder, name, "loaded");
  for (const name of DELETED) writeFileSync(join(folder.path, name), name);
  return folder;
}

const contents = (folder: TemporaryFolder) => [
  textOf(folder, "chain.db"),
  textOf(folder, "mempool.db"),
];

describe("a folder with a load of a dump", () => {
  test("has the chain and the transactions before it if the load did not complete", () => {
    using folder = loadingFolder();
    undoLoad(folder.path);
    expect(contents(folder)).toEqual(["before", "before"]);
    expect(namesIn(folder)).toEqual([...KEPT, "chain.db", "mempool.db"].sort());
  });

  test("has the loaded chain if the load is complete", () => {
    using folder = loadingFolder();
    forgetBeforeLoad(folder.path);
    undoLoad(folder.path);
    expect(contents(folder)).toEqual(["loaded", "loaded"]);
    expect(namesIn(folder)).toEqual([...KEPT, ...DELETED, "chain.db", "mempool.db"].sort());
  });

  test("is not changed by a load that was stopped before it began", () => {
    using folder = loadingFolder();
    // The chain is copied last: without it, nothing was loaded yet.
    rmSync(join(folder.path, "before-load.db"));
    writeFileSync(join(folder.path, "before-load.tmp"), "a part");
    undoLoad(folder.path);
    expect(contents(folder)).toEqual(["loaded", "loaded"]);
    expect(namesIn(folder)).not.toContain("before-load-mempool.db");
  });

  test("completes after a stop in the middle", () => {
    using folder = loadingFolder();
    // The transactions are back, the chain is not.
    rmSync(join(folder.path, "before-load-mempool.db"));
    write(folder, "mempool.db", "before");
    undoLoad(folder.path);
    expect(contents(folder)).toEqual(["before", "before"]);
  });

  test("is left alone while another process uses it", () => {
    using folder = loadingFolder();
    const lock = lockFolder(folder.path);
    expect(() => undoLoad(folder.path)).toThrow("in use by another process");
    lock.release();
    undoLoad(folder.path);
    expect(contents(folder)).toEqual(["before", "before"]);
  });
});

test("a folder without a load is not touched, and not created", () => {
  using folder = temporaryFolder();
  const missing = join(folder.path, "missing");
  undoLoad(missing);
  expect(existsSync(missing)).toBe(false);
});
