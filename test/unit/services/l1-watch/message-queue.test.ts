import { expect, test } from "bun:test";
import { MessageQueue } from "#services/l1-watch/message-queue.ts";
import type { WaitingMessage } from "#services/l1-watch/waiting-message.ts";

const message = (nonce: bigint, sizeBytes = 100): WaitingMessage => ({
  bytes: new Uint8Array(sizeBytes),
  transactionHash: nonce,
  nonce,
  messageHash: nonce,
  l1TransactionHash: nonce,
  l1BlockNumber: Number(nonce),
  l1Block: { number: Number(nonce), hash: nonce },
});

const taken = (queue: MessageQueue, most: number, mostBytes = 1e6): bigint[] =>
  queue.take(most, mostBytes).map(({ nonce }) => nonce);

test("holds a bounded number of messages, and the range of the others", () => {
  const queue = new MessageQueue({ heldMessages: 3, heldBytes: 1e6 });
  for (let nonce = 0n; nonce < 3n; nonce++) {
    expect(queue.takesNext).toBe(true);
    queue.push(message(nonce));
  }
  expect(queue.takesNext).toBe(false);
  queue.pushUnheld(3n, 30);
  queue.pushUnheld(4n, 40);
  expect(queue.size).toBe(5);
  expect(queue.wanted).toBeUndefined();
  expect(taken(queue, 2)).toEqual([0n, 1n]);
  // Messages that arrive now are behind those not held, even though there is space.
  expect(queue.takesNext).toBe(false);
  expect(queue.wanted).toEqual({ from: 3n, to: 5n, firstBlock: 30, lastBlock: 40 });
  queue.nowHeldBelow(4n, 30);
  expect(queue.wanted).toEqual({ from: 4n, to: 5n, firstBlock: 30, lastBlock: 40 });
  queue.nowHeldBelow(5n, 40);
  expect(queue.wanted).toBeUndefined();
  expect(queue.takesNext).toBe(true);
});

test("holds a bounded number of bytes, even of few messages", () => {
  const queue = new MessageQueue({ heldMessages: 1_000, heldBytes: 10_000 });
  queue.push(message(0n, 4_000));
  expect(queue.isFull).toBe(false);
  queue.push(message(1n, 6_000));
  expect(queue.isFull).toBe(true);
  queue.pushUnheld(2n, 2);
  expect(queue.wanted).toBeUndefined();
  expect(taken(queue, 2)).toEqual([0n, 1n]);
  expect(queue.heldBytes).toBe(0);
  expect(queue.wanted).toBeDefined();
});

test("requests messages that are not held in chunks", () => {
  const queue = new MessageQueue({ heldMessages: 1, heldBytes: 1e6 });
  for (let nonce = 0n; nonce < 100_000n; nonce++) queue.pushUnheld(nonce, Number(nonce));
  expect(queue.size).toBe(100_000);
  const first = queue.wanted;
  expect(first?.from).toBe(0n);
  expect(Number(first?.to)).toBeLessThan(2_000);
  expect(first?.lastBlock).toBe(Number(first?.to) - 1);
});

test("limits a batch in messages and bytes, with at least one message", () => {
  const queue = new MessageQueue({ heldMessages: 100, heldBytes: 1e6 });
  for (const [nonce, size] of [9_000, 100, 100, 900, 100].entries()) {
    queue.push(message(BigInt(nonce), size));
  }
  expect(taken(queue, 3, 1_000)).toEqual([0n]);
  expect(taken(queue, 3, 1_000)).toEqual([1n, 2n]);
  expect(taken(queue, 1, 1e6)).toEqual([3n]);
});

test("restores messages in nonce order", () => {
  const queue = new MessageQueue({ heldMessages: 100, heldBytes: 1e6 });
  for (const nonce of [3n, 4n, 7n]) queue.push(message(nonce));
  const batch = queue.take(2, 1e6);
  queue.putBack([message(1n), message(5n)]);
  queue.putBack(batch);
  expect(taken(queue, 10)).toEqual([1n, 3n, 4n, 5n, 7n]);
  expect(queue.heldBytes).toBe(0);
});
