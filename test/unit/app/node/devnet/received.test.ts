import { expect, test } from "bun:test";
import { MAX_REMEMBERED, ReceivedTransactions } from "#app/node/devnet/received.ts";

test("tracks received transactions until they are executed or forgotten", () => {
  const received = new ReceivedTransactions();
  expect(received.settle(() => false)).toBe(true);
  received.add(1n);
  received.add(2n);
  expect(received.settle((hash) => hash === 1n)).toBe(false);
  expect(received.settle((hash) => hash === 2n)).toBe(true);
  received.add(3n);
  received.forget();
  expect(received.settle(() => false)).toBe(true);
});

test("drops the oldest transactions above the limit", () => {
  const received = new ReceivedTransactions();
  for (let hash = 0n; hash <= MAX_REMEMBERED; hash++) received.add(hash);
  const asked: bigint[] = [];
  received.settle((hash) => asked.push(hash) > 0);
  expect([asked.length, asked[0]]).toEqual([MAX_REMEMBERED, 1n]);
});
