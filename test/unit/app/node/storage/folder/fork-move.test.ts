import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { decideForkMove, finishForkMove } from "#app/node/storage/folder/fork-move.ts";
import { lockFolder } from "#io/storage/index.ts";
import { type TemporaryFolder, temporaryFolder } from "#test/helpers/temporary-folder.ts";

const OLD = ["chain.db", "chain.db-wal", "mempool.db", "fork.db", "fork.db-wal", "compiled.db"];
const JOURNALS = ["execution.journal", "validation-0.journal"];
const KEPT = ["block-signing.key", "disk.probe", "accounts.json"];

/** A folder with a chain and files of both chains; each file holds its name. */
function folderWith(...files: readonly string[]): TemporaryFolder {
  const folder = temporaryFolder();
  for (const name of files) {
    const path = join(folder.path, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, name);
  }
  return folder;
}

const contentsOf = (folder: TemporaryFolder): readonly string[] =>
  readdirSync(folder.path, { recursive: true })
    .map(String)
    .filter((name) => !name.startsWith("lock.db"))
    .sort();

const chainOf = (folder: TemporaryFolder): string =>
  readFileSync(join(folder.path, "chain.db"), "utf8");

describe("a folder with a move of its fork", () => {
  test("keeps its chain when the move was not decided", () => {
    const all = [...OLD, ...JOURNALS, ...KEPT];
    using folder = folderWith(...all, "fork-move.tmp/chain.db", "fork-move.tmp/chain.db-wal");
    finishForkMove(folder.path);
    expect(contentsOf(folder)).toEqual([...all].sort());
    expect(chainOf(folder)).toBe("chain.db");
  });

  test("has the moved chain alone, its key and files of others once the move is decided", () => {
    using folder = folderWith(...OLD, ...JOURNALS, ...KEPT, "fork-move.tmp/chain.db");
    decideForkMove(folder.path);
    finishForkMove(folder.path);
    expect(contentsOf(folder)).toEqual([...KEPT, "chain.db"].sort());
    expect(chainOf(folder)).toBe("fork-move.tmp/chain.db");
  });

  // A process is killed after it has deleted some files.
  test.each([0, 1, 2, 3, 4, 5, 6, 7, 8])("completes a move after %d deletions", (count) => {
    const left = [...OLD, ...JOURNALS].filter((name) => name !== "chain.db").slice(count);
    using folder = folderWith(...left, ...KEPT, "chain.db", "fork-move.db");
    finishForkMove(folder.path);
    expect(contentsOf(folder)).toEqual([...KEPT, "chain.db"].sort());
    expect(chainOf(folder)).toBe("fork-move.db");
  });

  test("is left alone while another process uses it", () => {
    using folder = folderWith(...OLD, "fork-move.db");
    const lock = lockFolder(folder.path);
    expect(() => finishForkMove(folder.path)).toThrow("in use by another process");
    expect(chainOf(folder)).toBe("chain.db");
    lock.release();
    finishForkMove(folder.path);
    expect(chainOf(folder)).toBe("fork-move.db");
  });

  test("keeps files that no node creates next to a staged chain", () => {
    using folder = folderWith("chain.db", "fork-move.tmp/chain.db", "fork-move.tmp/notes.txt");
    finishForkMove(folder.path);
    expect(contentsOf(folder)).toEqual(["chain.db", "fork-move.tmp", "fork-move.tmp/notes.txt"]);
  });
});

test("a folder without a move is not touched, and not created", () => {
  using folder = temporaryFolder();
  const missing = join(folder.path, "missing");
  finishForkMove(missing);
  expect(existsSync(missing)).toBe(false);
});
