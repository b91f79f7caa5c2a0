import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { takeImportFolder } from "#app/cli/snapshot/import-folder.ts";
import { lockFolder } from "#io/storage/index.ts";
import { useFolder } from "#test/helpers/temporary-folder.ts";

const folder = useFolder();
const ONE = "1".repeat(64);
const OTHER = "2".repeat(64);

const codeOf = (work: () => unknown): unknown => {
  try {
    work();
    return "none";
  } catch (error) {
    return (error as { readonly code?: unknown }).code;
  }
};

test("moves the imported chain into place and leaves nothing else behind", () => {
  const path = folder.file("a/b");
  const taken = takeImportFolder(path, ONE, 1);
  expect(taken.found).toBe("nothing");
  expect(taken.chainDatabase).toBe(join(path, "import.tmp/chain.db"));
  writeFileSync(taken.chainDatabase, "a chain");
  taken.finish();
  expect(readdirSync(path).sort()).toEqual(["chain.db", "lock.db"]);
  expect(codeOf(() => takeImportFolder(path, ONE, 1))).toBe("STORAGE_EXISTS");
  // The refused import took nothing.
  lockFolder(path).release();
});

test("resumes a partial import only for the same snapshot", () => {
  const path = folder.file("kept");
  const first = takeImportFolder(path, ONE, 1);
  writeFileSync(first.chainDatabase, "a part");
  expect(codeOf(() => takeImportFolder(path, ONE, 1))).toBe("STORAGE_LOCKED");
  first.keep();
  const second = takeImportFolder(path, ONE, 1);
  expect(second.found).toBe("a part");
  second.keep();
  const other = takeImportFolder(path, OTHER, 1);
  expect(other.found).toBe("nothing");
  expect(existsSync(other.chainDatabase)).toBe(false);
  other.discard();
  expect(existsSync(path)).toBe(false);
});

test("completes an import that was killed between its last two steps", () => {
  const path = folder.file("ended");
  const first = takeImportFolder(path, ONE, 1);
  writeFileSync(first.chainDatabase, "a chain");
  renameSync(first.chainDatabase, join(path, "chain.db"));
  first.keep();
  expect(codeOf(() => takeImportFolder(path, OTHER, 1))).toBe("STORAGE_EXISTS");
  const again = takeImportFolder(path, ONE, 1);
  expect(again.found).toBe("all");
  again.finish();
  expect(readdirSync(path).sort()).toEqual(["chain.db", "lock.db"]);
});

test("removes folders it created, even in another process, and keeps others with their contents", () => {
  const made = folder.file("made/for/it");
  takeImportFolder(made, ONE, 1).keep();
  takeImportFolder(made, ONE, 1).discard();
  expect(existsSync(folder.file("made"))).toBe(false);
  const own = folder.file("own");
  mkdirSync(own);
  writeFileSync(join(own, "block-signing.key"), "a key");
  takeImportFolder(own, ONE, 1).discard();
  expect(readdirSync(own)).toContain("block-signing.key");
  expect(existsSync(join(own, "import.tmp"))).toBe(false);
});

test("refuses a folder with parts of a chain or a restore, and leaves it unchanged", () => {
  for (const name of ["chain.db", "mempool.db", "chain.db-wal", "compiled.db", "restore.tmp"]) {
    const path = folder.file(`with-${name}`);
    mkdirSync(path);
    writeFileSync(join(path, name), "something");
    expect(codeOf(() => takeImportFolder(path, ONE, 1))).toBe("STORAGE_EXISTS");
    expect(existsSync(join(path, name))).toBe(true);
    expect(existsSync(join(path, "import.tmp"))).toBe(false);
  }
});

test("refuses a snapshot that cannot fit before anything is written", () => {
  const path = folder.file("small");
  expect(codeOf(() => takeImportFolder(path, ONE, 2 ** 60))).toBe("STORAGE_NO_SPACE");
  expect(existsSync(path)).toBe(false);
});
