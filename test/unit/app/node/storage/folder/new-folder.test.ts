import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { takeFolder } from "#app/node/storage/folder/new-folder.ts";
import { nodeFiles } from "#app/node/setup/node-files.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";

const write = (folder: string, ...names: string[]): void => {
  for (const name of names) writeFileSync(join(folder, name), name);
};

const NEW_CHAIN = ["chain.db", "chain.db-wal", "chain.db-shm", "mempool.db", "block-signing.key"];

describe("a start that fails", () => {
  test("removes the folder and the parents that it created", () => {
    using root = temporaryFolder();
    const folder = join(root.path, "a", "b");
    const taken = takeFolder(folder);
    expect(taken.deleted).toBe(0);
    write(folder, ...NEW_CHAIN);
    taken.release();
    expect(readdirSync(root.path)).toEqual([]);
  });

  test("removes all files of a node", () => {
    using root = temporaryFolder();
    const folder = join(root.path, "a");
    const taken = takeFolder(folder);
    const { folder: _, signingKey, ...files } = nodeFiles(folder, null);
    for (const path of [...Object.values(files).flat(), signingKey.path]) writeFileSync(path, "");
    taken.release();
    expect(readdirSync(root.path)).toEqual([]);
  });

  test("leaves an existing folder unchanged", () => {
    using root = temporaryFolder();
    write(root.path, "block-signing.key", "notes.txt");
    const taken = takeFolder(root.path);
    write(root.path, ...NEW_CHAIN);
    taken.release();
    expect(readdirSync(root.path).sort()).toEqual(["block-signing.key", "notes.txt"]);
  });

  test("removes nothing from an existing chain", () => {
    using root = temporaryFolder();
    write(root.path, "chain.db");
    const taken = takeFolder(root.path);
    write(root.path, "chain.db-wal", "mempool.db");
    taken.release();
    expect(readdirSync(root.path)).toEqual(
      expect.arrayContaining(["chain.db", "chain.db-wal", "mempool.db", "lock.db"]),
    );
  });

  test("keeps files of others in its folder", () => {
    using root = temporaryFolder();
    const folder = join(root.path, "a");
    const taken = takeFolder(folder);
    write(folder, "notes.txt");
    taken.release();
    expect(readdirSync(folder)).toEqual(["notes.txt"]);
  });
});

describe("a start that succeeds", () => {
  test("keeps everything", () => {
    using root = temporaryFolder();
    const taken = takeFolder(root.path);
    write(root.path, "chain.db");
    taken.keep();
    taken.release();
    expect(existsSync(root.file("chain.db"))).toBe(true);
  });
});

describe("a folder", () => {
  test("in use is refused, and stays unchanged", () => {
    using root = temporaryFolder();
    const folder = join(root.path, "a");
    const taken = takeFolder(folder);
    write(folder, ...NEW_CHAIN);
    expect(() => takeFolder(folder)).toThrow("in use by another process");
    expect(readdirSync(folder)).toEqual(expect.arrayContaining(NEW_CHAIN));
    taken.keep();
    taken.release();
    takeFolder(folder).release();
  });

  test("that cannot be created is named, and leaves nothing behind", () => {
    using root = temporaryFolder();
    write(root.path, "file");
    expect(() => takeFolder(join(root.path, "file", "x"))).toThrow("--base-path");
    mkdirSync(root.file("lock.db"));
    expect(() => takeFolder(root.path)).toThrow("cannot be written");
  });
});
