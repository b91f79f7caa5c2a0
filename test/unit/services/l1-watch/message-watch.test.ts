import { expect, test } from "bun:test";
import { L1Error } from "#base/errors/index.ts";
import {
  FINALITY,
  MessageNode,
  messageWorld as world,
  nonces,
  send,
  sends,
  SMALL_LIMITS,
} from "#test/helpers/l1-message-node.ts";
import { ModelChain } from "#test/helpers/l1-message-chain.ts";
import { ModelL1 } from "#test/helpers/l1-message-model.ts";

test("executes messages in nonce order, once they are final", async () => {
  const { l1, chain, node } = world();
  l1.mine(...sends(5));
  l1.mineEmpty(FINALITY - 1);
  await node.run(5);
  expect(chain.nonces).toEqual([]);
  l1.mine(...sends(2));
  await node.run(5);
  expect(chain.nonces).toEqual(nonces(0, 4));
  l1.mineEmpty(FINALITY);
  await node.run(5);
  expect(chain.nonces).toEqual(nonces(0, 6));
  expect(node.backlog).toBe(0);
  expect(node.alarms).toEqual([]);
});

test("executes one batch at a time", async () => {
  const { l1, chain, node } = world();
  const sizes: number[] = [];
  chain.beforeBatch = (orders) => void sizes.push(orders.length);
  l1.mine(...sends(7));
  l1.mineEmpty(FINALITY);
  await node.run(5);
  expect(sizes).toEqual([3, 3, 1]);
});

test("executes a message larger than a batch alone", async () => {
  const l1 = new ModelL1();
  const chain = new ModelChain();
  const node = new MessageNode(l1, chain, { ...SMALL_LIMITS, batchBytes: 2000 });
  const sizes: number[] = [];
  chain.beforeBatch = (orders) => void sizes.push(orders.length);
  const large = send(...Array.from({ length: 100 }, () => 2n ** 250n));
  l1.mine(send(1n), large, send(2n), send(3n));
  l1.mineEmpty(FINALITY);
  await node.run(5);
  expect(sizes).toEqual([1, 1, 2]);
  expect(chain.nonces).toEqual(nonces(0, 3));
});

test("holds only part of a backlog, and reads the rest again in turn", async () => {
  const { l1, chain, node } = world();
  for (let block = 0; block < 40; block++) l1.mine(...sends(60));
  l1.mineEmpty(FINALITY);
  chain.interruptions = Infinity;
  await node.run(20);
  expect(node.backlog).toBe(2400);
  const read = l1.logReads;
  await node.run(20);
  expect(l1.logReads - read).toBeLessThan(10);
  chain.interruptions = 0;
  await node.run(20);
  expect(chain.nonces).toEqual(nonces(0, 2399));
  expect(node.backlog).toBe(0);
  // Only blocks at the edges of a range are read more than once.
  expect(l1.logReads).toBeLessThan(2400 / 3);
});

test("accepts messages while others are not held", async () => {
  const { l1, chain, node } = world();
  chain.interruptions = 3;
  for (let round = 0; round < 20; round++) {
    l1.mine(...sends(9));
    await node.run(1);
  }
  l1.mineEmpty(FINALITY);
  await node.run(60);
  expect(chain.nonces).toEqual(nonces(0, 179));
});

test("retries interrupted messages", async () => {
  const { l1, chain, node } = world();
  chain.interruptions = 2;
  l1.mine(...sends(4));
  l1.mineEmpty(FINALITY);
  await node.run(10);
  expect(chain.nonces).toEqual(nonces(0, 3));
});

test("executes nothing while L1 is down, and continues afterwards", async () => {
  const { l1, chain, node } = world();
  chain.interruptions = 1;
  l1.mine(...sends(4));
  l1.mineEmpty(FINALITY);
  await node.run(0);
  expect(node.backlog).toBe(4);
  l1.isDown = true;
  await node.run(30);
  expect(chain.nonces).toEqual([]);
  expect(node.backlog).toBe(4);
  expect(node.events.filter(({ kind }) => kind === "delayed").length).toBeGreaterThan(3);
  l1.isDown = false;
  await node.run(20);
  expect(chain.nonces).toEqual(nonces(0, 3));
});

test("detects a missing log by the next one, and reads it", async () => {
  const { l1, chain, node } = world();
  l1.mine(...sends(2));
  l1.mineEmpty(FINALITY);
  await node.run(5);
  l1.omitted.add(3n);
  l1.mine(...sends(3));
  l1.mineEmpty(FINALITY);
  await node.run(10);
  expect(chain.nonces).not.toContain(4n);
  l1.omitted.clear();
  await node.run(20);
  expect(chain.nonces).toEqual(nonces(0, 4));
});

test("detects missing newest logs by the counter, and reads them", async () => {
  const { l1, chain, node } = world();
  await node.run(2);
  l1.omitted.add(0n).add(1n);
  l1.mine(...sends(2));
  l1.mineEmpty(FINALITY);
  await node.run(10);
  expect(chain.nonces).toEqual([]);
  l1.omitted.clear();
  await node.run(10);
  expect(chain.nonces).toEqual(nonces(0, 1));
});

test("knows consumed messages after a restart, and executes lost ones again", async () => {
  const { l1, chain, node } = world();
  l1.mine(...sends(6));
  l1.mineEmpty(FINALITY);
  await node.run(5);
  chain.accept();
  l1.mine(...sends(3));
  l1.mineEmpty(FINALITY);
  await node.run(5);
  expect(chain.nonces).toEqual(nonces(0, 8));
  await node.restart();
  chain.loseOpenBlock();
  await node.run(5);
  expect(chain.nonces).toEqual(nonces(0, 8));
  expect(node.alarms).toEqual([]);
});

test("executes messages of reverted blocks again", async () => {
  const { l1, chain, node } = world();
  for (let block = 0; block < 3; block++) {
    l1.mine(...sends(4));
    l1.mineEmpty(FINALITY);
    await node.run(5);
    chain.accept();
  }
  chain.revertBelow(1);
  expect(chain.nonces).toEqual(nonces(0, 3));
  node.chainChanged();
  await node.run(10);
  expect(chain.nonces).toEqual(nonces(0, 11));
  expect(node.alarms).toEqual([]);
});

test("executes nothing after a stop", async () => {
  const { l1, chain, node } = world();
  l1.mine(...sends(30));
  l1.mineEmpty(FINALITY);
  chain.beforeBatch = () => void node.stop();
  await node.run(10);
  expect(chain.nonces).toEqual(nonces(0, 2));
});

test("indexes waiting messages by their L1 transaction", async () => {
  const { l1, chain, node } = world();
  chain.interruptions = Infinity;
  l1.mine(...sends(3));
  l1.mineEmpty(FINALITY);
  await node.run(3);
  const [first, second, third] = l1.contract().logs.map((log) => log.transactionHash);
  expect(first).toBe(second as bigint);
  expect(node.index.ofL1Transaction(first ?? 0n).map(({ isWaiting }) => isWaiting)).toEqual([
    true,
    true,
  ]);
  l1.mine({ kind: "cancel", nonce: 2n });
  chain.interruptions = 0;
  await node.run(5);
  expect(node.index.ofL1Transaction(third ?? 0n).map(({ isWaiting }) => isWaiting)).toEqual([
    false,
  ]);
  expect(node.index.ofL1Transaction(1n)).toEqual([]);
});

test("does not repeat messages of a block whose reply was lost", async () => {
  const { l1, chain, node } = world();
  chain.interruptions = 1;
  chain.losesAnswers = true;
  l1.mine(...sends(5));
  l1.mineEmpty(FINALITY);
  await node.run(0);
  expect(chain.nonces).toEqual(nonces(0, 2));
  chain.accept();
  const handed: bigint[] = [];
  chain.beforeBatch = (orders) => void handed.push(...orders.map(({ nonce }) => nonce));
  await node.run(5);
  expect(handed).toEqual([3n, 4n]);
  expect(node.backlog).toBe(0);
});

test("does not reread logs from an endpoint that lacks their blocks", async () => {
  const { l1, chain, node } = world();
  chain.interruptions = 4;
  for (let block = 0; block < 8; block++) l1.mine(...sends(5));
  l1.mineEmpty(FINALITY);
  await node.run(2);
  l1.staleBy = 6;
  await node.run(20);
  expect(chain.nonces.length).toBeLessThan(40);
  const errors = node.events.flatMap((event) => (event.kind === "delayed" ? [event.error] : []));
  expect(errors.length).toBeGreaterThan(0);
  for (const error of errors) expect(error).toBeInstanceOf(L1Error);
  l1.staleBy = 0;
  await node.run(20);
  expect(chain.nonces).toEqual(nonces(0, 39));
});
