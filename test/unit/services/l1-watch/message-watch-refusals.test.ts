import { expect, test } from "bun:test";
import type { HeldBackReason } from "#services/l1-watch/index.ts";
import {
  FINALITY,
  MessageNode,
  messageWorld as world,
  nonces,
  send,
  sends,
} from "#test/helpers/l1-message-node.ts";
import { ModelChain } from "#test/helpers/l1-message-chain.ts";

/** Reported skipped messages. */
function leftOut(node: MessageNode): [bigint, HeldBackReason][] {
  return node.events.flatMap((event) =>
    event.kind === "held_back" ? [[event.message.nonce, event.message.reason]] : [],
  );
}

test("skips a message whose cancellation has started, even in the newest block", async () => {
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

test("executes a message whose cancellation was reorganized away", async () => {
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

test("skips a message that is gone from the core contract", async () => {
  const { l1, chain, node } = world();
  l1.mine(...sends(2));
  l1.mineEmpty(FINALITY - 1);
  l1.mine({ kind: "remove", nonce: 0n });
  await node.run(5);
  expect(chain.nonces).toEqual([1n]);
  expect(leftOut(node)).toEqual([[0n, { kind: "gone" }]]);
});

test("reports a message that cannot become a transaction once, and skips it", async () => {
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

test("skips a message that the executor rejects, and continues", async () => {
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

test("raises an alarm for another message with a consumed nonce, and names the block to revert to", async () => {
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

test("raises that alarm also if the block was accepted afterwards", async () => {
  const { l1, chain, node } = world();
  l1.mine(send(1n));
  l1.mineEmpty(FINALITY);
  await node.run(5);
  l1.mine(send(2n));
  l1.mineEmpty(FINALITY);
  // The executor has another message with that nonce, which L1 does not have.
  chain.replaceHash(0n, 0xbadn);
  chain.accept();
  await node.run(5);
  expect(node.alarms.map(({ kind }) => kind)).toEqual(["message_changed"]);
});

test("raises an alarm for executed messages that are gone from L1", async () => {
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

test("raises no alarm for an endpoint that lags", async () => {
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

test("reports messages older than the logs read", async () => {
  const { l1, chain, node } = world();
  l1.omitted.add(0n).add(1n);
  l1.mine(...sends(4));
  l1.mineEmpty(FINALITY);
  await node.run(5);
  expect(node.events).toContainEqual({ kind: "too_old", firstNonce: 0n, lastNonce: 1n });
  expect(chain.nonces).toEqual([2n, 3n]);
});

test("finds messages later that were missing at the start of the logs", async () => {
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
