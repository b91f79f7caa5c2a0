import { expect, test } from "bun:test";
import type { LeftOutReason } from "#services/l1-watch/index.ts";
import {
  FINALITY,
  MessageNode,
  messageWorld as world,
  nonces,
  send,
  sends,
} from "#test/helpers/l1-message-node.ts";
import { ModelChain } from "#test/helpers/l1-message-chain.ts";

/** What was told of messages that are left out. */
function leftOut(node: MessageNode): [bigint, LeftOutReason][] {
  return node.events.flatMap((event) =>
    event.kind === "left_out" ? [[event.message.nonce, event.message.reason]] : [],
  );
}

test("leaves a message out whose cancellation was begun, also in the newest block", async () => {
  const { l1, chain, node } = world();
  l1.mine(...sends(3));
  l1.mineEmpty(FINALITY - 1);
  l1.mine({ kind: "cancel", nonce: 1n });
  await node.run(5);
  expect(chain.nonces).toEqual([0n, 2n]);
  expect(leftOut(node)).toEqual([
    [1n, { kind: "cancellation", startedUnixSeconds: BigInt(1000 + l1.head) }],
  ]);
  l1.mineEmpty(10);
  await node.run(5);
  expect(chain.nonces).toEqual([0n, 2n]);
  await node.restart();
  await node.run(5);
  expect(chain.nonces).toEqual([0n, 2n]);
});

test("a cancellation that a reorganisation undoes keeps no message back", async () => {
  const { l1, chain, node } = world();
  l1.mine(...sends(3));
  l1.mineEmpty(FINALITY - 1);
  l1.mine({ kind: "cancel", nonce: 1n });
  await node.run(5);
  l1.reorganize(1, () => []);
  l1.mineEmpty(FINALITY);
  await node.run(5);
  expect(chain.nonces).toEqual([0n, 2n, 1n]);
  expect(node.events).toContainEqual({ kind: "returned", nonce: 1n });
});

test("leaves a message out that the core contract does not have any more", async () => {
  const { l1, chain, node } = world();
  l1.mine(...sends(2));
  l1.mineEmpty(FINALITY - 1);
  l1.mine({ kind: "remove", nonce: 0n });
  await node.run(5);
  expect(chain.nonces).toEqual([1n]);
  expect(leftOut(node)).toEqual([[0n, { kind: "gone" }]]);
});

test("what can never be a transaction is told once and left out", async () => {
  const { l1, chain, node } = world();
  const largest = 2n ** 256n - 1n;
  l1.mine(send(1n), send(1n, largest), send(2n ** 251n + 17n * 2n ** 192n + 1n), send(2n));
  l1.mineEmpty(FINALITY);
  await node.run(5);
  node.chainChanged();
  await node.run(5);
  expect(chain.nonces).toEqual([0n, 3n]);
  expect(leftOut(node)).toEqual([
    [1n, { kind: "unusable", what: "payload[1] is not a felt" }],
    [2n, { kind: "unusable", what: "payload[0] is not a felt" }],
  ]);
  expect(node.alarms).toEqual([]);
});

test("what the executor refuses is left out, and the next one goes on", async () => {
  const { l1, chain, node } = world();
  const { execute } = chain;
  const refusing = Object.assign(new ModelChain(), {
    execute: async (orders: Parameters<typeof execute>[0]) =>
      (await execute(orders)).map((outcome, index) =>
        orders[index]?.nonce === 1n
          ? ({ kind: "refused", reason: "too large for a block" } as const)
          : outcome,
      ),
  });
  const other = new MessageNode(l1, refusing);
  await node.stop();
  l1.mine(...sends(3));
  l1.mineEmpty(FINALITY);
  await other.run(5);
  expect(leftOut(other)).toEqual([[1n, { kind: "refused", reason: "too large for a block" }]]);
  expect(other.backlog).toBe(0);
});

test("another message under a consumed nonce is an alarm that names the block to revert to", async () => {
  const { l1, chain, node } = world();
  chain.accept();
  l1.mine(send(1n), send(2n));
  l1.mineEmpty(FINALITY);
  await node.run(5);
  chain.accept();
  l1.reorganize(FINALITY + 1, () => [send(1n), send(99n), send(2n)]);
  await node.run(10);
  expect(node.alarms).toEqual([
    {
      kind: "message_changed",
      message:
        "block 1 has executed a message with nonce 1 that L1 does not have: L1 has a different one with " +
        "that nonce. Such a chain cannot be proven; revert the chain to block 0",
      l1Block: { number: 1, hash: expect.any(BigInt) },
    },
  ]);
  expect(chain.nonces).toEqual(nonces(0, 1));
  chain.revertBelow(1);
  node.chainChanged();
  await node.run(10);
  expect(chain.nonces).toEqual(nonces(0, 2));
  expect(node.alarms).toHaveLength(1);
});

test("so it is when the block was accepted only afterwards", async () => {
  const { l1, chain, node } = world();
  l1.mine(send(1n));
  l1.mineEmpty(FINALITY);
  await node.run(5);
  l1.mine(send(2n));
  l1.mineEmpty(FINALITY);
  // The executor has another message under that nonce, which L1 does not have.
  chain.replaceHash(0n, 0xbadn);
  chain.accept();
  await node.run(5);
  expect(node.alarms.map(({ kind }) => kind)).toEqual(["message_changed"]);
});

test("executed messages that L1 does not have any more are an alarm", async () => {
  const { l1, chain, node } = world();
  l1.mine(send(1n), send(2n));
  l1.mineEmpty(FINALITY);
  await node.run(5);
  chain.accept();
  l1.reorganize(FINALITY + 1, ([first]) => (first === undefined ? [] : [first]));
  await node.run(10);
  expect(node.alarms.map(({ kind, message }) => [kind, message])).toEqual([
    [
      "message_vanished",
      "messages with nonce 1 were executed and are not on L1, whose next nonce is 1. Such a chain " +
        "cannot be proven; its first block has it: begin a new chain",
    ],
  ]);
});

test("an endpoint that is behind is no alarm", async () => {
  const { l1, chain, node } = world();
  l1.mine(...sends(4));
  l1.mineEmpty(FINALITY);
  await node.run(5);
  chain.accept();
  l1.staleBy = FINALITY + 1;
  await node.run(10);
  await node.restart();
  await node.run(10);
  expect(node.alarms).toEqual([]);
  l1.staleBy = 0;
  l1.mine(...sends(1));
  l1.mineEmpty(FINALITY);
  await node.run(10);
  expect(chain.nonces).toEqual(nonces(0, 4));
});

test("tells of messages that are older than the logs that are read", async () => {
  const { l1, chain, node } = world();
  l1.omitted.add(0n).add(1n);
  l1.mine(...sends(4));
  l1.mineEmpty(FINALITY);
  await node.run(5);
  expect(node.events).toContainEqual({ kind: "too_old", firstNonce: 0n, lastNonce: 1n });
  expect(chain.nonces).toEqual([2n, 3n]);
});

test("messages that were left out where the logs begin are found later", async () => {
  const { l1, chain, node } = world();
  l1.omitted.add(0n).add(1n);
  l1.mine(...sends(4));
  l1.mineEmpty(FINALITY);
  await node.run(3);
  expect(chain.nonces).toEqual([2n, 3n]);
  l1.omitted.clear();
  await node.run(20);
  expect(chain.nonces).toEqual([2n, 3n, 0n, 1n]);
  expect(node.events).toContainEqual({ kind: "found", firstNonce: 0n, lastNonce: 1n });
});
