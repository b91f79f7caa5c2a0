import { expect, test } from "bun:test";
import { FakeChain, headerOf, L1_BLOCK, L1_NEXT, updateOf } from "#test/helpers/l1-chain.ts";
import { watchOf } from "#test/helpers/l1-state-watch.ts";

test("accepts agreeing blocks up to the newest update", async () => {
  const chain = new FakeChain(9);
  const { watch, alarms, updatedBlocks } = watchOf(chain);
  watch.logs([updateOf(2), updateOf(5)]);
  await watch.step();
  expect(chain.settled).toEqual([5]);
  expect(alarms).toEqual([]);
  expect(updatedBlocks()).toEqual([2, 5]);
});

test("an update waits for its block, in any order", async () => {
  const chain = new FakeChain(undefined);
  const { watch, updatedBlocks } = watchOf(chain);
  watch.logs([updateOf(8), updateOf(3)]);
  await watch.step();
  chain.latest = 2;
  await watch.step();
  expect(chain.settled).toEqual([]);
  chain.latest = 7;
  await watch.step();
  expect(chain.settled).toEqual([3]);
  chain.latest = 8;
  await watch.step();
  expect(chain.settled).toEqual([3, 8]);
  expect(updatedBlocks()).toEqual([8]);
});

test("skips an update of a block before the snapshot of the chain", async () => {
  const chain = new FakeChain(9);
  chain.oldest = 5;
  const { watch, alarms, updatedBlocks } = watchOf(chain);
  watch.logs([updateOf(2), updateOf(4)]);
  await watch.step();
  expect([chain.settled, updatedBlocks()]).toEqual([[], []]);
  watch.logs([updateOf(5), updateOf(7)]);
  await watch.step();
  expect([chain.settled, alarms, updatedBlocks()]).toEqual([[7], [], [5, 7]]);
});

test("accepts nothing for a contract without state or with an impossible number", async () => {
  const chain = new FakeChain(9);
  const { watch, alarms, updatedBlocks } = watchOf(chain);
  for (const blockNumber of [-1n, -(2n ** 255n), 2n ** 255n - 1n, 2n ** 53n]) {
    watch.coreState({ blockNumber, blockHash: 0n, stateRoot: 0n }, L1_BLOCK);
  }
  await watch.step();
  expect(chain.settled).toEqual([]);
  expect(alarms).toEqual([]);
  expect(updatedBlocks()).toEqual([]);
});

test("compares again after a reset", async () => {
  const chain = new FakeChain(9);
  chain.changed.set(5, { ...headerOf(5), hash: 0xbadn });
  const { watch } = watchOf(chain);
  watch.logs([updateOf(5)]);
  await watch.step();
  expect(watch.mismatch).toBeDefined();
  chain.changed.clear();
  watch.reset();
  expect(watch.mismatch).toBeUndefined();
  watch.logs([updateOf(5)]);
  await watch.step();
  expect(chain.settled).toEqual([5]);
});

test("drops waiting updates at a reset, until L1 reports them again", async () => {
  const chain = new FakeChain(2);
  const { watch } = watchOf(chain);
  watch.logs([updateOf(5)]);
  watch.reset();
  chain.latest = 9;
  await watch.step();
  expect(chain.settled).toEqual([]);
  expect(watch.newest).toBeUndefined();
});

test("detects one of two contradicting updates even while the other is being settled", async () => {
  const chain = new FakeChain(9);
  const { watch, alarms } = watchOf(chain);
  watch.logs([updateOf(5)]);
  const settling = watch.step();
  watch.logs([{ ...updateOf(5), stateRoot: 0xbadn }, updateOf(6, L1_NEXT)]);
  await settling;
  expect(chain.settled).toEqual([5]);
  await watch.step();
  expect(alarms).toHaveLength(1);
  expect(chain.settled).toEqual([5]);
});

test("settles again after a reset during a settlement", async () => {
  const chain = new FakeChain(9);
  const { watch } = watchOf(chain);
  watch.logs([updateOf(5)]);
  const settling = watch.step();
  watch.reset();
  watch.logs([updateOf(5), updateOf(7)]);
  await settling;
  await watch.step();
  expect(chain.settled).toEqual([5, 7]);
});

test("never moves acceptance back, but still compares older updates", async () => {
  const chain = new FakeChain(9);
  chain.accepted = 6;
  chain.changed.set(4, { ...headerOf(4), stateRoot: 0xbadn });
  const { watch, alarms, updatedBlocks } = watchOf(chain);
  watch.logs([updateOf(3)]);
  await watch.step();
  expect(chain.settled).toEqual([]);
  watch.logs([updateOf(4)]);
  await watch.step();
  expect(alarms).toHaveLength(1);
  expect(alarms[0]?.message).toContain("this chain is not the one that L1 has");
  expect(updatedBlocks()).toEqual([]);
});

test("retries a settlement that failed", async () => {
  const chain = new FakeChain(9);
  chain.refusals = 2;
  const { watch } = watchOf(chain);
  watch.logs([updateOf(4)]);
  for (let i = 0; i < 4; i++) await watch.step();
  expect(chain.settled).toEqual([4]);
});

test("uses the contract's state without a log, and reports it at start", async () => {
  const chain = new FakeChain(9);
  chain.accepted = 6;
  const { watch, updatedBlocks } = watchOf(chain);
  watch.coreState(updateOf(6), L1_BLOCK);
  expect(updatedBlocks()).toEqual([6]);
  watch.coreState(updateOf(8), L1_BLOCK);
  watch.coreState(updateOf(8), L1_BLOCK);
  await watch.step();
  expect(updatedBlocks()).toEqual([6, 8]);
  expect(chain.settled).toEqual([8]);
  expect(watch.newest?.blockNumber).toBe(8n);
});

for (const count of [1024, 1025, 5000]) {
  test(`keeps enough of ${count} waiting updates to accept the newest and to detect a difference`, async () => {
    const chain = new FakeChain(undefined);
    const updates = Array.from({ length: count }, (_, number) => updateOf(number));
    const right = watchOf(chain);
    right.watch.logs(updates);
    chain.changed.set(count - 1, headerOf(0));
    const wrong = watchOf(chain);
    wrong.watch.logs(updates);
    chain.latest = count;
    await wrong.watch.step();
    expect(wrong.alarms).toHaveLength(1);
    chain.changed.clear();
    chain.settled.length = 0;
    await right.watch.step();
    expect(chain.settled).toEqual([count - 1]);
  });
}

test("treats a flood of contradicting updates as one difference, in bounded memory", async () => {
  const chain = new FakeChain(undefined);
  const { watch, alarms } = watchOf(chain);
  const flood = Array.from({ length: 20_000 }, (_, i) => ({
    ...updateOf(3),
    blockHash: BigInt(i),
  }));
  watch.logs(flood);
  chain.latest = 9;
  await watch.step();
  expect(alarms).toHaveLength(1);
  expect(chain.settled).toEqual([]);
});
