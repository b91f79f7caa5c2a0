import { Database } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { rmSync, writeFileSync } from "node:fs";
import { COMPILER_REVISION, COMPILER_VERSION } from "#engine/sierra/index.ts";
import { openCompiledClasses, type StoredCompiledClass } from "#io/storage/index.ts";
import { ChildArchive } from "#app/node/compiler/child-archive.ts";
import { temporaryFolder, type TemporaryFolder } from "#test/helpers/temporary-folder.ts";

const CODE: StoredCompiledClass = {
  casmJson: '{"marked":true}',
  bytecodeLength: 3,
  hashes: { poseidon: 1n, blake: 2n },
};

let folder: TemporaryFolder;
const archives: ChildArchive[] = [];

beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => {
  for (const archive of archives.splice(0)) archive.close();
  folder[Symbol.dispose]();
});

const placeOf = (name = "compiled.db") => ({ path: folder.file(name), chainId: "TEST" });

/** An archive, and its log lines. */
function archiveOf() {
  const told: string[] = [];
  const archive = new ChildArchive((line) => void told.push(line));
  archives.push(archive);
  return { archive, told };
}

describe("the archive of a compiler process", () => {
  test("serves its stored entries to the next process", async () => {
    const { archive, told } = archiveOf();
    await archive.open(placeOf());
    expect(archive.get(7n)).toBeUndefined();
    archive.put(7n, CODE);
    archive.close();
    const next = archiveOf();
    await next.archive.open(placeOf());
    expect(next.archive.get(7n)).toEqual(CODE);
    expect([told, next.told]).toEqual([[], []]);
  });

  test("stays open if opened again at the same place", async () => {
    const { archive } = archiveOf();
    await archive.open(placeOf());
    archive.put(7n, CODE);
    // A reopened database would be empty.
    for (const suffix of ["", "-wal", "-shm"]) rmSync(`${placeOf().path}${suffix}`);
    await archive.open(placeOf());
    expect(archive.get(7n)).toEqual(CODE);
  });

  test("moves to another place", async () => {
    const { archive } = archiveOf();
    await archive.open(placeOf("first.db"));
    archive.put(7n, CODE);
    await archive.open(placeOf("second.db"));
    expect(archive.get(7n)).toBeUndefined();
    await archive.open(placeOf("first.db"));
    expect(archive.get(7n)).toEqual(CODE);
  });

  test("stores nothing without a place", async () => {
    const { archive, told } = archiveOf();
    await archive.open(null);
    archive.put(7n, CODE);
    expect([archive.get(7n), told]).toEqual([undefined, []]);
  });

  test("stores nothing once its place is removed", async () => {
    const { archive } = archiveOf();
    await archive.open(placeOf());
    archive.put(7n, CODE);
    await archive.open(null);
    expect(archive.get(7n)).toBeUndefined();
  });

  test("ignores entries of another compiler", async () => {
    const store = await openCompiledClasses({ ...placeOf(), compiler: "another" });
    store.put(7n, CODE);
    store.close();
    const { archive } = archiveOf();
    await archive.open(placeOf());
    expect(archive.get(7n)).toBeUndefined();
  });

  test("stores under the compiler's version and revision", async () => {
    const { archive } = archiveOf();
    await archive.open(placeOf());
    archive.put(7n, CODE);
    const compiler = `${COMPILER_VERSION}-${COMPILER_REVISION}`;
    const store = await openCompiledClasses({ ...placeOf(), compiler });
    expect(store.get(7n)).toEqual(CODE);
    store.close();
  });
});

describe("a failing archive database", () => {
  test("is logged if it cannot be opened, and tried again next time", async () => {
    writeFileSync(placeOf().path, "no database".repeat(100));
    const { archive, told } = archiveOf();
    await archive.open(placeOf());
    archive.put(7n, CODE);
    expect([archive.get(7n), told]).toEqual([
      undefined,
      [expect.stringMatching(/^compiled classes are not stored: .*compiled.db is damaged/)],
    ]);
    await archive.open(placeOf());
    expect(told).toHaveLength(2);
    rmSync(placeOf().path);
    await archive.open(placeOf());
    archive.put(7n, CODE);
    expect([archive.get(7n), told.length]).toEqual([CODE, 2]);
  });

  test("is logged if it cannot be read or written", async () => {
    const { archive, told } = archiveOf();
    await archive.open(placeOf());
    const other = new Database(placeOf().path);
    other.run("drop table compiled_class");
    other.close();
    expect(archive.get(7n)).toBeUndefined();
    expect(told).toHaveLength(1);
    archive.put(7n, CODE);
    expect(told).toHaveLength(2);
  });
});
