import { expect, test } from "bun:test";
import type { ControlReply, MessageOutcome } from "#services/sequencer/index.ts";
import { MAX_WAITING_MESSAGES, MessageQueue } from "#services/sequencer/message-queue.ts";
import { fakePort } from "#test/helpers/fake-port.ts";

const message = (l1BlockNumber: number) => ({
  bytes: new Uint8Array(),
  l1TransactionHash: 1n,
  l1BlockNumber,
});
const KNOWN: MessageOutcome = { kind: "known" };
const included = (blockNumber: number): MessageOutcome => ({ kind: "included", blockNumber });

function world() {
  const main = fakePort<never, ControlReply>();
  return {
    queue: new MessageQueue(main),
    replies: () => main.sent.map(({ id, outcome }) => [id, outcome]),
  };
}

test("replies to requests once all of their messages are consumed", () => {
  const { queue, replies } = world();
  queue.add(1, [message(1), message(2)]);
  queue.add(2, []);
  queue.add(3, [message(3)]);
  expect(queue.first(2).map((each) => each.l1BlockNumber)).toEqual([1, 2]);
  expect(queue.first(9).map((each) => each.l1BlockNumber)).toEqual([1, 2, 3]);
  queue.consumed([KNOWN]);
  expect(replies()).toEqual([]);
  expect(queue.first(2).map((each) => each.l1BlockNumber)).toEqual([2, 3]);
  queue.consumed([included(5), included(6)]);
  expect(queue.next()).toBeNull();
  expect(replies()).toEqual([
    [1, { kind: "consumed", outcomes: [KNOWN, included(5)] }],
    [2, { kind: "consumed", outcomes: [] }],
    [3, { kind: "consumed", outcomes: [included(6)] }],
  ]);
});

test("rejects a request above the limit as a whole, and keeps earlier ones", () => {
  const { queue, replies } = world();
  queue.add(1, [message(1)]);
  queue.add(
    2,
    Array.from({ length: MAX_WAITING_MESSAGES }, () => message(2)),
  );
  expect(replies()).toEqual([
    [2, { kind: "refused", reason: "too many messages from L1 are waiting" }],
  ]);
  queue.consumed([KNOWN]);
  queue.add(
    3,
    Array.from({ length: MAX_WAITING_MESSAGES }, () => message(3)),
  );
  expect(replies()).toHaveLength(2);
});

test("rejects all requests together, even partly consumed ones", () => {
  const { queue, replies } = world();
  queue.add(1, [message(1), message(2)]);
  queue.add(2, [message(3)]);
  queue.consumed([KNOWN]);
  queue.refuse("why");
  expect(queue.next()).toBeNull();
  expect(replies()).toEqual([
    [1, { kind: "refused", reason: "why" }],
    [2, { kind: "refused", reason: "why" }],
  ]);
});
