import { afterEach, beforeEach, expect, test } from "bun:test";
import type { ChainWriter, StoredChainReader } from "#io/storage/index.ts";
import { blockCommit } from "#test/helpers/blocks.ts";
import { bodyOf, type ChainFolder, openChainFolder } from "#test/helpers/chain-folder.ts";

/** Row positions per block; the next ones belong to the next block. */
const ROOM = 2 ** 18;

let chain: ChainFolder;
let writer: ChainWriter;
let reader: StoredChainReader;

beforeEach(async () => {
  chain = await openChainFolder();
  ({ writer, reader } = chain);
});

afterEach(() => chain[Symbol.dispose]());

test("a position beyond a block does not read from the next block", () => {
  writer.commitBlock(blockCommit(0, bodyOf(2)));
  writer.commitBlock(blockCommit(1, bodyOf(2, 1000)));
  for (const index of [ROOM, ROOM + 1, 2 ** 53 - 1, 2 ** 53, 2 ** 64, 1e300, Infinity, -1]) {
    expect(reader.transactionAt({ blockNumber: 0, index })).toBeUndefined();
    expect(reader.receiptAt({ blockNumber: 0, index })).toBeUndefined();
  }
  expect(reader.transactionAt({ blockNumber: 1, index: -ROOM })).toBeUndefined();
});

test("a reader sees data that another handle replaced", () => {
  const before = bodyOf(70);
  const after = bodyOf(70, 1000);
  const check = ({ transactions, receipts }: typeof before): void => {
    expect(reader.transactions(0)).toEqual(transactions);
    expect(reader.receipts(0)).toEqual(receipts);
    for (const [index, transaction] of transactions.entries()) {
      expect(reader.transactionAt({ blockNumber: 0, index })).toEqual(transaction);
      const location = reader.locate(transaction.hash);
      expect(location).toEqual({ blockNumber: 0, index });
      if (location === undefined) continue;
      expect(reader.transactionAt(location)).toEqual(transaction);
      expect(reader.receiptAt(location)).toEqual(receipts[index]);
    }
  };
  writer.commitBlock(blockCommit(0, before));
  check(before);
  check(before);
  writer.revertTo(-1);
  expect(reader.transactionAt({ blockNumber: 0, index: 0 })).toBeUndefined();
  writer.commitBlock(blockCommit(0, after));
  check(after);
});

test("more blocks than the cache holds are read correctly", () => {
  const bodies = Array.from({ length: 30 }, (_, number) => bodyOf(40, number * 1000));
  for (const [number, body] of bodies.entries()) writer.commitBlock(blockCommit(number, body));
  for (let round = 0; round < 2; round++) {
    for (const [number, { transactions, receipts }] of bodies.entries()) {
      expect(reader.transactions(number)).toEqual(transactions);
      expect(reader.receipts(number)).toEqual(receipts);
    }
  }
});
