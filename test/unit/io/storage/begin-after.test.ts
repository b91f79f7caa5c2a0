import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { InvariantError } from "#base/errors/index.ts";
import { EMPTY_STATE_DIFF } from "#protocol/chain/index.ts";
import { type ChainWriter, createChainWriter, type StoredChainReader } from "#io/storage/index.ts";
import { blockCommit, testHeader } from "#test/helpers/blocks.ts";
import { type ChainFolder, openChainFolder, storageErrorOf } from "#test/helpers/chain-folder.ts";

/** Last block of the other chain. */
const LAST = 100;

let chain: ChainFolder;
let writer: ChainWriter;
let reader: StoredChainReader;

beforeEach(async () => {
  chain = await openChainFolder();
  ({ writer, reader } = chain);
});

afterEach(() => chain[Symbol.dispose]());

/** Headers of the last `count` blocks up to {@link LAST}. */
function headers(count: number, last = LAST) {
  return Array.from({ length: count }, (_, i) => testHeader(last - count + 1 + i));
}

describe("ChainWriter.beginAfter", () => {
  test("makes a chain without blocks whose oldest block follows the last header", () => {
    writer.beginAfter(headers(11));
    expect(reader.latestNumber()).toBeUndefined();
    expect(reader.oldestBlock()).toBe(LAST + 1);
    expect(reader.header(LAST)).toBeUndefined();
    expect(reader.ancestorHeader(LAST)).toEqual(testHeader(LAST));
    expect(reader.ancestorHeader(LAST - 10)).toEqual(testHeader(LAST - 10));
    expect(reader.ancestorHeader(LAST - 11)).toBeUndefined();
  });

  test("lets the first block follow the last header only", () => {
    writer.beginAfter(headers(10));
    expect(storageErrorOf(() => writer.commitBlock(blockCommit(0)))).toBe("STORAGE_WRONG_PARENT");
    const other = blockCommit(LAST + 1, { fork: 1 });
    expect(storageErrorOf(() => writer.commitBlock(other))).toBe("STORAGE_WRONG_PARENT");
    writer.commitBlock(blockCommit(LAST + 1));
    writer.commitBlock(blockCommit(LAST + 2));
    expect(reader.latestNumber()).toBe(LAST + 2);
  });

  test("lets the second block follow the first block, not the headers", () => {
    writer.beginAfter(headers(10));
    writer.commitBlock(blockCommit(LAST + 1));
    const again = () => writer.commitBlock(blockCommit(LAST + 1));
    expect(storageErrorOf(again)).toBe("STORAGE_WRONG_PARENT");
  });

  test("has an empty state before the first block", () => {
    writer.beginAfter(headers(10));
    expect(reader.stateAt(LAST).storageAt(0x77n, 1n)).toBe(0n);
    expect(reader.writtenAt(LAST).storageAt(0x77n, 1n)).toBeUndefined();
    expect(reader.oldestStateBlock()).toBe(LAST);
  });

  test("replaces the headers while no block is stored", () => {
    writer.beginAfter(headers(10));
    writer.beginAfter(headers(2, 50));
    expect(reader.oldestBlock()).toBe(51);
    expect(reader.ancestorHeader(LAST)).toBeUndefined();
  });

  test("refuses a database with blocks", () => {
    writer.commitBlock(blockCommit(0));
    expect(storageErrorOf(() => writer.beginAfter(headers(10)))).toBe("STORAGE_NOT_EMPTY");
    expect(reader.oldestBlock()).toBe(0);
  });

  test.each([
    ["no header", []],
    ["more than 11 headers", headers(12)],
    ["a gap", [testHeader(1), testHeader(3)]],
    ["a wrong parent hash", [testHeader(1), testHeader(2, 1)]],
  ])("refuses %s", (_, wrong) => {
    expect(() => writer.beginAfter(wrong)).toThrow(InvariantError);
    expect(reader.oldestBlock()).toBe(0);
  });
});

describe("a chain that continues another one", () => {
  test("reverts to its first block at most", () => {
    writer.beginAfter(headers(10));
    for (let number = LAST + 1; number < LAST + 4; number++) {
      writer.commitBlock(blockCommit(number));
    }
    writer.revertTo(LAST + 1);
    expect(reader.latestNumber()).toBe(LAST + 1);
    expect(storageErrorOf(() => writer.revertTo(LAST))).toBe("STORAGE_NO_OLDER");
    expect(storageErrorOf(() => writer.revertTo(-1))).toBe("STORAGE_NO_OLDER");
  });

  test("prunes the states of old local blocks", () => {
    const pruning = createChainWriter(chain.writing, { pruneHistory: 16, keepProofs: 1 });
    pruning.beginAfter(headers(10));
    for (let number = LAST + 1; number <= LAST + 40; number++) {
      const storageDiffs = new Map([[0x77n, new Map([[1n, BigInt(number)]])]]);
      pruning.commitBlock(
        blockCommit(number, { stateDiff: { ...EMPTY_STATE_DIFF, storageDiffs } }),
      );
    }
    expect(reader.oldestStateBlock()).toBe(LAST + 25);
    expect(reader.writtenAt(LAST + 25).storageAt(0x77n, 1n)).toBe(BigInt(LAST + 25));
    expect(storageErrorOf(() => reader.writtenAt(LAST + 2).storageAt(0x77n, 1n))).toBe(
      "STORAGE_PRUNED",
    );
  });
});
