import { expect, test } from "bun:test";
import { MessageIndex } from "#services/l1-watch/index.ts";

/** Messages of the L1 transactions 1, 1, 1, 2, 3, 3, with hashes from 100 on. */
function filled(capacity: number): MessageIndex {
  const index = new MessageIndex(capacity);
  [1n, 1n, 1n, 2n, 3n, 3n].forEach((l1TransactionHash, number) => {
    const nonce = BigInt(number);
    index.add({ nonce, transactionHash: 100n + nonce, l1TransactionHash, isWaiting: true });
  });
  return index;
}

const hashesOf = (index: MessageIndex, l1TransactionHash: bigint): bigint[] =>
  index.ofL1Transaction(l1TransactionHash).map(({ transactionHash }) => transactionHash);

test("returns the messages of an L1 transaction in order", () => {
  const index = filled(10);
  expect(hashesOf(index, 1n)).toEqual([100n, 101n, 102n]);
  expect(hashesOf(index, 2n)).toEqual([103n]);
  expect(hashesOf(index, 3n)).toEqual([104n, 105n]);
  expect(hashesOf(index, 4n)).toEqual([]);
});

test("evicts the oldest messages one by one", () => {
  const index = filled(4);
  expect(index.size).toBe(4);
  expect(hashesOf(index, 1n)).toEqual([102n]);
  expect(index.isWaiting(101n)).toBe(false);
  expect(index.isWaiting(102n)).toBe(true);
  expect(hashesOf(filled(3), 1n)).toEqual([]);
  expect(hashesOf(filled(3), 2n)).toEqual([103n]);
});

test("marks a skipped message as not waiting, until it counts again", () => {
  const index = filled(10);
  index.setWaiting(101n, false);
  index.setWaiting(999n, true);
  expect([100n, 101n, 999n].map((hash) => index.isWaiting(hash))).toEqual([true, false, false]);
  expect(index.ofL1Transaction(1n).map(({ isWaiting }) => isWaiting)).toEqual([true, false, true]);
  index.setWaiting(101n, true);
  expect(index.isWaiting(101n)).toBe(true);
});

test("is empty after it is cleared", () => {
  const index = filled(10);
  index.clear();
  expect(index.size).toBe(0);
  expect(hashesOf(index, 1n)).toEqual([]);
  expect(index.isWaiting(100n)).toBe(false);
  index.add({ nonce: 7n, transactionHash: 7n, l1TransactionHash: 1n, isWaiting: false });
  expect(hashesOf(index, 1n)).toEqual([7n]);
});
