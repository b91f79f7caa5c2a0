import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { copyFileSync } from "node:fs";
import { type BlockBundle, decodeBundle } from "#protocol/chain/index.ts";
import {
  createChainReader,
  createSnapshotWriter,
  type DatabaseHandle,
  openDatabase,
  openSnapshotReader,
  type SnapshotEnd,
} from "#io/storage/index.ts";
import { storageErrorOf } from "#test/helpers/chain-folder.ts";
import { addRows, rowsOf, type SnapshotRows } from "#test/helpers/snapshot-copy.ts";
import { temporaryFolder, type TemporaryFolder } from "#test/helpers/temporary-folder.ts";
import { makeTrueChain, TRUE_CHAIN_ID } from "#test/helpers/true-chain.ts";

/** Block of the snapshot. */
const FIRST = 14;

let folder: TemporaryFolder;
let rows: SnapshotRows;
let end: SnapshotEnd;
let made = 0;
let path: string;
let handle: DatabaseHandle;

const opened = (mode: "reader" | "writer", file: string): Promise<DatabaseHandle> =>
  openDatabase({ path: file, chainId: TRUE_CHAIN_ID, mode, durability: "normal" });

beforeAll(async () => {
  folder = temporaryFolder();
  await makeTrueChain(folder.file("chain"), { blocks: 16, transactions: 4 });
  const reading = await opened("reader", folder.file("chain/chain.db"));
  const reader = openSnapshotReader(reading, FIRST);
  rows = rowsOf(reader, 50);
  const bundle = decodeBundle(reader.bundleBytes(FIRST) ?? new Uint8Array());
  end = { bundle, headers: reader.headers().slice(0, -1) };
  reader.close();
  reading.close();
});
afterAll(() => folder[Symbol.dispose]());

beforeEach(async () => {
  path = folder.file(`${made++}.db`);
  handle = await opened("writer", path);
});

/** Error code of importing these rows with this end; empty if the import succeeds. */
function outcome(changed: Partial<SnapshotRows>, otherEnd: Partial<SnapshotEnd> = {}): string {
  try {
    return storageErrorOf(() => {
      const writer = createSnapshotWriter(handle);
      addRows(writer, { ...rows, ...changed });
      writer.finish({ ...end, ...otherEnd }, () => undefined);
    });
  } finally {
    const chain = createChainReader(handle);
    const isChain = chain.latestNumber() === FIRST && chain.oldestBlock() === FIRST;
    const isNone = chain.latestNumber() === undefined && chain.oldestBlock() === 0;
    expect(isChain || isNone).toBe(true);
    handle.close();
  }
}

/** Copy of the rows with the first matching one changed. */
function changing<T>(
  list: readonly T[],
  change: (row: T) => T,
  fits: (row: T) => boolean = () => true,
): T[] {
  const at = list.findIndex(fits);
  expect(at).toBeGreaterThanOrEqual(0);
  return list.map((row, i) => (i === at ? change(row) : row));
}

const bundleWith = (block: Partial<BlockBundle["block"]>): Partial<SnapshotEnd> => ({
  bundle: { ...end.bundle, block: { ...end.bundle.block, ...block } },
});

describe("SnapshotWriter imports a snapshot", () => {
  test("unchanged", () => {
    expect(outcome({})).toBe("");
  });

  test("with rows that arrive twice, as after a crash", () => {
    const twice = <T>(list: readonly T[]): T[] => list.flatMap((row) => [row, row]);
    expect(
      outcome({
        contracts: twice(rows.contracts),
        storage: twice(rows.storage),
        classes: twice(rows.classes),
        messages: twice(rows.messages),
      }),
    ).toBe("");
  });

  test("after a crash and after a failed attempt to finish", async () => {
    const first = createSnapshotWriter(handle);
    first.addContracts(rows.contracts);
    first.addStorage(rows.storage.slice(0, 5));
    const wrong = { ...end, headers: [] };
    expect(storageErrorOf(() => first.finish(wrong, () => undefined))).toBe("STORAGE_BAD_SNAPSHOT");
    // Copies the files as a crash leaves them.
    copyFileSync(path, `${path}-copy`);
    copyFileSync(`${path}-wal`, `${path}-copy-wal`);
    handle.close();
    handle = await opened("writer", `${path}-copy`);
    expect(createChainReader(handle).latestNumber()).toBeUndefined();
    expect(outcome({})).toBe("");
  });

  test("and reports how many contracts are done", () => {
    const writer = createSnapshotWriter(handle);
    addRows(writer, rows);
    const told: (readonly [number, number])[] = [];
    writer.finish(end, (done, total) => told.push([done, total]));
    expect(told.at(-1)).toEqual([rows.contracts.length, rows.contracts.length]);
    handle.close();
  });
});

describe("SnapshotWriter rejects a snapshot", () => {
  test.each<[string, () => Partial<SnapshotRows>]>([
    [
      "another value",
      () => ({
        storage: changing(rows.storage, (row) => ({ ...row, value: row.value + 1n }), olderSlot),
      }),
    ],
    [
      "a missing value",
      () => ({ storage: rows.storage.filter((row) => !olderSlot(row) || row.value === 0n) }),
    ],
    [
      "another nonce",
      () => ({
        contracts: changing(
          rows.contracts,
          (row) => ({ ...row, nonce: row.nonce + 1n }),
          ({ address }) => !changedNow(address),
        ),
      }),
    ],
    [
      "an extra contract",
      () => ({ contracts: [...rows.contracts, { address: 0x77n, classHash: 0n, nonce: 1n }] }),
    ],
    [
      "another compiled class hash",
      () => ({
        classes: changing(
          rows.classes,
          (row) => ({ ...row, compiledClassHash: 5n }),
          ({ compiledClassHash }) => compiledClassHash !== null,
        ),
      }),
    ],
    [
      "without compiled class hash",
      () => ({
        classes: changing(
          rows.classes,
          (row) => ({ ...row, compiledClassHash: null }),
          ({ compiledClassHash }) => compiledClassHash !== null,
        ),
      }),
    ],
  ])("whose state has another root: %s", (_, changed) => {
    expect(outcome(changed())).toBe("STORAGE_ROOT_MISMATCH");
  });

  test.each<[string, () => Partial<SnapshotRows>]>([
    [
      "a value of a later block",
      () => ({
        storage: changing(
          rows.storage,
          (row) => ({ ...row, updatedAtBlock: FIRST + 1 }),
          olderSlot,
        ),
      }),
    ],
    [
      "a value that the block did not write",
      () => ({
        storage: changing(rows.storage, (row) => ({ ...row, updatedAtBlock: FIRST }), olderSlot),
      }),
    ],
    [
      "storage without a contract",
      () => ({
        storage: [
          ...rows.storage,
          { contractAddress: 0x77n, key: 1n, value: 1n, updatedAtBlock: 1 },
        ],
      }),
    ],
    [
      "a class of a later block",
      () => ({
        classes: changing(rows.classes, (row) => ({ ...row, declaredAtBlock: FIRST + 1 })),
      }),
    ],
    [
      "a class that the block did not declare",
      () => ({ classes: changing(rows.classes, (row) => ({ ...row, declaredAtBlock: FIRST })) }),
    ],
    [
      "a message of a later block",
      () => ({ messages: changing(rows.messages, (row) => ({ ...row, blockNumber: FIRST + 1 })) }),
    ],
  ])("that is inconsistent: %s", (_, changed) => {
    expect(outcome(changed())).toBe("STORAGE_BAD_SNAPSHOT");
  });

  test("without the class of a contract", () => {
    const used = new Set(rows.contracts.map(({ classHash }) => classHash));
    const classes = rows.classes.filter(({ classHash }) => !used.has(classHash));
    expect(outcome({ classes })).toBe("STORAGE_BAD_SNAPSHOT");
  });

  test.each<[string, () => Partial<SnapshotEnd>]>([
    ["no headers", () => ({ headers: [] })],
    ["a missing header", () => ({ headers: end.headers.slice(1) })],
    ["headers in the wrong order", () => ({ headers: end.headers.toReversed() })],
    [
      "a header of another chain",
      () => ({
        headers: changing(end.headers, (header) => ({ ...header, hash: header.hash + 1n })),
      }),
    ],
    [
      "a parent of another chain",
      () => bundleWith({ header: { ...end.bundle.block.header, parentHash: 5n } }),
    ],
    [
      "classes that are not in the snapshot",
      () => ({
        bundle: {
          ...end.bundle,
          classes: [
            { classHash: 0x77n, contractClass: { kind: "legacy", json: "{}" }, casmJson: null },
          ],
        },
      }),
    ],
  ])("whose end is inconsistent: %s", (_, otherEnd) => {
    expect(outcome({}, otherEnd())).toBe("STORAGE_BAD_SNAPSHOT");
  });

  test("with another root in the header", () => {
    const { header } = end.bundle.block;
    const other = bundleWith({ header: { ...header, newRoot: header.newRoot + 1n } });
    expect(outcome({}, other)).toBe("STORAGE_ROOT_MISMATCH");
  });

  test("into a database that has a chain, or through a reader", async () => {
    expect(outcome({})).toBe("");
    handle = await opened("writer", path);
    const writer = createSnapshotWriter(handle);
    for (const add of [
      () => writer.addContracts(rows.contracts),
      () => writer.addStorage(rows.storage),
      () => writer.addClasses(rows.classes),
      () => writer.addMessages(rows.messages),
      () => writer.finish(end, () => undefined),
    ]) {
      expect(storageErrorOf(add)).toBe("STORAGE_NOT_EMPTY");
    }
    handle.close();
    const reading = await opened("reader", path);
    expect(storageErrorOf(() => void createSnapshotWriter(reading))).toBe("STORAGE_READ_ONLY");
    reading.close();
  });
});

const changedNow = (address: bigint): boolean => end.bundle.block.stateDiff.nonces.has(address);

function olderSlot({ updatedAtBlock }: SnapshotRows["storage"][number]): boolean {
  return updatedAtBlock < FIRST;
}
