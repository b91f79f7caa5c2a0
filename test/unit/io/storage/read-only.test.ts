import { describe, expect, test } from "bun:test";
import { Database } from "bun:sqlite";
import { cpSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { openReadOnly } from "#io/storage/read-only.ts";
import { temporaryFolder, type TemporaryFolder } from "#test/helpers/temporary-folder.ts";

/** Creates a database in write-ahead mode with a row, whose log is checkpointed if `isClosed`. */
function makeDatabase(folder: TemporaryFolder, isClosed: boolean): string {
  mkdirSync(folder.file("made"));
  const database = new Database(folder.file("made/chain.db"), { create: true });
  database.run("pragma journal_mode = wal");
  database.run("create table one (n integer, b blob)");
  database.run("pragma wal_checkpoint(truncate)");
  if (!isClosed) database.run("insert into one values (2, x'02')");
  else database.run("insert into one values (1, x'01')");
  if (isClosed) database.run("pragma wal_checkpoint(truncate)");
  // The state that a killed process leaves; closing would checkpoint the log.
  cpSync(folder.file("made"), folder.file("frozen"), { recursive: true });
  database.close();
  return folder.file("frozen/chain.db");
}

/**
 * Remounts the folder read-only; permissions are not enough, as tests may run as root. Returns
 * the undo function, or `undefined` if this process may not mount.
 */
function frozen(folder: string): (() => void) | undefined {
  const run = (...words: string[]) => Bun.spawnSync(words).exitCode === 0;
  if (!run("mount", "--bind", folder, folder)) return undefined;
  if (run("mount", "-o", "remount,ro,bind", folder)) return () => void run("umount", folder);
  run("umount", folder);
  return undefined;
}

const rowOf = (path: string): unknown => {
  using connection = openReadOnly(path);
  return connection.prepare("select n, length(b) as l from one").get();
};

describe("openReadOnly in a read-only folder", () => {
  const drop = (folder: TemporaryFolder, ...suffixes: string[]) => {
    for (const suffix of suffixes) rmSync(folder.file(`frozen/chain.db${suffix}`), { force: true });
  };

  test("reads a cleanly closed database, with or without its side files", () => {
    for (const gone of [[], ["-shm"], ["-wal", "-shm"]]) {
      using folder = temporaryFolder();
      const path = makeDatabase(folder, true);
      drop(folder, ...gone);
      const undo = frozen(folder.file("frozen"));
      if (undo === undefined) return;
      try {
        const before = readdirSync(folder.file("frozen"));
        expect(rowOf(path)).toEqual({ n: 1n, l: 1n });
        using connection = openReadOnly(path);
        expect(connection.query("select n from one").all()).toEqual([{ n: 1n }]);
        expect(() => connection.run("delete from one")).toThrow();
        expect(readdirSync(folder.file("frozen"))).toEqual(before);
      } finally {
        undo();
      }
    }
  });

  test("reads the changes of the log, or fails with the reason", () => {
    for (const isShared of [true, false]) {
      using folder = temporaryFolder();
      const path = makeDatabase(folder, false);
      if (!isShared) drop(folder, "-shm");
      const undo = frozen(folder.file("frozen"));
      if (undo === undefined) return;
      try {
        if (isShared) expect(rowOf(path)).toEqual({ n: 2n, l: 1n });
        else expect(() => rowOf(path)).toThrow("chain.db-wal holds changes that are not in it");
      } finally {
        undo();
      }
    }
  });
});

test("openReadOnly reads the current content of a database in use", () => {
  using folder = temporaryFolder();
  using writing = new Database(folder.file("a # b?.db"), { create: true });
  writing.run("pragma journal_mode = wal");
  writing.run("create table one (n integer, b blob)");
  writing.run("insert into one values (3, x'0102')");
  expect(rowOf(folder.file("a # b?.db"))).toEqual({ n: 3n, l: 2n });
});

test("openReadOnly does not create a missing file", () => {
  using folder = temporaryFolder();
  expect(() => rowOf(folder.file("none.db"))).toThrow();
  expect(readdirSync(folder.file("."))).toEqual([]);
});
