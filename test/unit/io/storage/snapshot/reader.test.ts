import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { copyFileSync } from "node:fs";
import {
  createChainReader,
  createChainWriter,
  type DatabaseHandle,
  openDatabase,
  openSnapshotReader,
} from "#io/storage/index.ts";
import { storageErrorOf } from "#test/helpers/chain-folder.ts";
import { copyFrom, rowsOf } from "#test/helpers/snapshot-copy.ts";
import { temporaryFolder, type TemporaryFolder } from "#test/helpers/temporary-folder.ts";
import { makeTrueChain, TRUE_CHAIN_ID } from "#test/helpers/true-chain.ts";

/** Block of the snapshot. */
const FIRST = 14;

let folder: TemporaryFolder;
let path: string;

const opened = (mode: "reader" | "writer", file: string): Promise<DatabaseHandle> =>
  openDatabase({ path: file, chainId: TRUE_CHAIN_ID, mode, durability: "normal" });

beforeAll(async () => {
  folder = temporaryFolder();
  await makeTrueChain(folder.file("chain"), { blocks: 16, transactions: 4 });
  path = folder.file("chain/chain.db");
});
afterAll(() => folder[Symbol.dispose]());

describe("openSnapshotReader", () => {
  test("rejects unknown blocks and blocks whose state is pruned", async () => {
    const reading = await opened("reader", path);
    for (const number of [-1, 17, 1e9]) {
      expect(storageErrorOf(() => void openSnapshotReader(reading, number))).toBe(
        "STORAGE_UNKNOWN_BLOCK",
      );
    }
    await copyFrom(reading, FIRST, folder.file("later.db"));
    reading.close();
    const later = await opened("reader", folder.file("later.db"));
    expect(storageErrorOf(() => void openSnapshotReader(later, FIRST - 1))).toBe(
      "STORAGE_UNKNOWN_BLOCK",
    );
    openSnapshotReader(later, FIRST).close();
    later.close();
  });

  test("reads a consistent view despite later commits and reverts", async () => {
    const copy = folder.file("moving.db");
    copyFileSync(path, copy);
    const reading = await opened("reader", copy);
    const reader = openSnapshotReader(reading, FIRST);
    const rows = rowsOf(reader, 50);
    const writing = await opened("writer", copy);
    createChainWriter(writing).revertTo(2);
    writing.close();
    expect(rowsOf(reader, 3)).toEqual(rows);
    expect(reader.bundleBytes(16)).toBeDefined();
    expect(reader.bundleBytes(17)).toBeUndefined();
    expect(reader.bundleBytes(FIRST - 1)).toBeUndefined();
    reader.close();
    expect(createChainReader(reading).latestNumber()).toBe(2);
    reading.close();
  });
});
