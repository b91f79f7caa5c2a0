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

test("executes messages in the order of their nonces, once they count", async () => {
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

test("hands them over one batch at a time", async () => {
  const { l1, chain, node } = world();
  const sizes: number[] = [];
  chain.beforeBatch = (orders) => void sizes.push(orders.length);
  l1.mine(...sends(7));
  l1.mineEmpty(FINALITY);
  await node.run(5);
  expect(sizes).toEqual([3, 3, 1]);
});

test("a message that is larger than a batch goes alone", async () => {
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

test("a backlog is held only in part, and the rest is read again in its turn", async () => {
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
  // Blocks at the edges of what is read at once are read more than once, and the others are not.
  expect(l1.logReads).toBeLessThan(2400 / 3);
});

test("messages come while others are not held", async () => {
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

test("hands over again what was interrupted", async () => {
  const { l1, chain, node } = world();
  chain.interruptions = 2;
  l1.mine(...sends(4));
  l1.mineEmpty(FINALITY);
  await node.run(10);
  expect(chain.nonces).toEqual(nonces(0, 3));
});

test("hands nothing over while L1 does not tell how it stands, and goes on then", async () => {
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

test("a log that was left out is noticed by the next one, and read then", async () => {
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

test("newest logs that were left out are noticed by the counter, and read then", async () => {
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

test("what blocks have consumed is known after a restart, and what they lost is executed again", async () => {
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

test("a revert of the chain has their messages executed again", async () => {
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

test("after it was stopped nothing is handed over", async () => {
  const { l1, chain, node } = world();
  l1.mine(...sends(30));
  l1.mineEmpty(FINALITY);
  chain.beforeBatch = () => void node.stop();
  await node.run(10);
  expect(chain.nonces).toEqual(nonces(0, 2));
});

test("the index tells what waits, and by which transaction on L1 it was sent", async () => {
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

test("what was executed without an answer, and is in a block since, is not handed over again", async () => {
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

test("logs are not read again of an endpoint that does not have their blocks yet", async () => {
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
