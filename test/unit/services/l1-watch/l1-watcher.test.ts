import { describe, expect, test } from "bun:test";
import { WatchedL1 } from "#test/helpers/l1-watcher.ts";
import { MinedL1 } from "#test/helpers/mined-l1.ts";

const update = (blockNumber: number) => ({ kind: "update", blockNumber }) as const;
const message = (nonce: number) => ({ kind: "message", nonce }) as const;

function noncesOf({ messages }: WatchedL1): readonly number[] {
  return messages.taken.map(({ nonce }) => Number(nonce));
}

test("settles an update once it has enough blocks above it", async () => {
  const watched = new WatchedL1(9);
  const { l1, chain, watcher } = watched;
  watcher.start();
  l1.mine([update(4)]);
  l1.mine([]);
  await watched.pass(3000);
  expect(chain.settled).toEqual([]);
  l1.mine([]);
  await watched.pass(2000);
  expect(chain.settled).toEqual([4]);
  expect(watched.eventsOf("stepped").at(-1)).toMatchObject({
    head: { number: 3 },
    block: { number: 1 },
    read: 1,
  });
  await watcher.stop();
});

test("reads logs in ranges, each block once, and forwards messages in order", async () => {
  const watched = new WatchedL1(undefined);
  const { l1, messages, watcher } = watched;
  for (let i = 0; i < 24; i++) l1.mine([message(i)]);
  watcher.start();
  await watched.pass(2000);
  expect(l1.ranges).toEqual([
    [0, 9],
    [10, 19],
    [20, 22],
  ]);
  expect(noncesOf(watched)).toEqual(Array.from({ length: 22 }, (_, i) => i));
  expect(messages.calls.filter((call) => !call.startsWith("logs"))).toEqual([
    "begins 0",
    "step 22",
  ]);
  l1.mine([message(24)]);
  await watched.pass(3000);
  expect(l1.ranges.at(-1)).toEqual([23, 23]);
  expect(l1.ranges).toHaveLength(4);
  expect(messages.calls.slice(-4)).toEqual(["logs 22", "step 23", "step 23", "step 23"]);
  await watcher.stop();
});

test("reads ranges back to back without a pause", async () => {
  const watched = new WatchedL1(undefined, { pollMs: 600_000 });
  for (let i = 0; i < 50; i++) watched.l1.mine([]);
  watched.watcher.start();
  await watched.pass(100, 10);
  expect(watched.l1.ranges).toHaveLength(5);
  await watched.watcher.stop();
});

test("reads logs from the start of the replay window, but at least the newest block", async () => {
  for (const { replayMs, from } of [
    { replayMs: 60_000, from: 25 },
    { replayMs: 0, from: 28 },
    { replayMs: 360_000, from: 0 },
  ]) {
    const watched = new WatchedL1(undefined, { replayMs });
    for (let i = 0; i < 30; i++) watched.l1.mine([]);
    watched.watcher.start();
    await watched.pass(9000);
    expect(watched.eventsOf("begun")).toEqual([{ kind: "begun", fromBlock: from }]);
    expect(watched.messages.fromBlock).toBe(from);
    await watched.watcher.stop();
  }
});

test("uses the contract's state for updates before the replay window", async () => {
  const watched = new WatchedL1(9, { replayMs: 12_000 });
  watched.l1.mine([update(6)]);
  for (let i = 0; i < 10; i++) watched.l1.mine([]);
  watched.watcher.start();
  await watched.pass(9000);
  expect(watched.chain.settled).toEqual([6]);
  expect(watched.updates).toHaveLength(1);
  await watched.watcher.stop();
});

test("retries errors with growing delays, and reports the recovery", async () => {
  const watched = new WatchedL1(9);
  const { l1, watcher, chain } = watched;
  l1.faults = Array.from({ length: 7 }, () => "error");
  l1.mine([update(3)]);
  l1.mine([]);
  l1.mine([]);
  watcher.start();
  const failedAtMs: number[] = [];
  for (let i = 0; i < 70; i++) {
    const before = watched.eventsOf("failed").length;
    await watched.pass(1000);
    if (watched.eventsOf("failed").length > before) failedAtMs.push(watched.timer.nowMs());
  }
  expect(failedAtMs).toEqual([1000, 3000, 7000, 15_000, 30_000, 45_000]);
  expect(watched.eventsOf("recovered")).toEqual([{ kind: "recovered", failures: 7 }]);
  expect(chain.settled).toEqual([3]);
  await watcher.stop();
});

test("settles a known update while L1 is unavailable", async () => {
  const watched = new WatchedL1(2);
  const { l1, chain, watcher } = watched;
  l1.mine([update(5)]);
  for (let i = 0; i < 2; i++) l1.mine([]);
  watcher.start();
  await watched.pass(9000);
  expect(chain.settled).toEqual([]);
  l1.faults = Array.from({ length: 1000 }, () => "error");
  chain.latest = 5;
  await watched.pass(5000);
  expect(chain.settled).toEqual([5]);
  await watcher.stop();
});

test("gives up and restarts a step after a minute without a response", async () => {
  for (const answered of [0, 1, 2, 3, 4, 5]) {
    const watched = new WatchedL1(9);
    const { l1, chain, watcher } = watched;
    l1.mine([update(5)]);
    for (let i = 0; i < 2; i++) l1.mine([]);
    l1.faults = [...Array.from({ length: answered }, () => undefined), "hang"];
    watcher.start();
    await watched.pass(59_000);
    const failed = watched.eventsOf("failed");
    if (answered < 5) expect(failed).toEqual([]);
    await watched.pass(3000);
    expect(chain.settled).toEqual([5]);
    if (answered < 5) {
      expect(watched.eventsOf("failed").map(({ error }) => error)).toMatchObject([
        { code: "L1_STALLED" },
      ]);
    }
    await watcher.stop();
  }
});

test("reads everything again if L1 replaced blocks that were read", async () => {
  const watched = new WatchedL1(9);
  const { l1, messages, chain, watcher } = watched;
  l1.mine([message(0), update(3)]);
  l1.mine([message(1)]);
  l1.mine([]);
  l1.mine([]);
  watcher.start();
  await watched.pass(9000);
  expect(noncesOf(watched)).toEqual([0, 1]);
  l1.drop(3);
  l1.mine([message(7)]);
  for (let i = 0; i < 3; i++) l1.mine([]);
  await watched.pass(5000);
  expect(watched.eventsOf("reorganized")).toMatchObject([{ gone: { number: 2 } }]);
  expect(messages.calls).toContain("reset");
  expect(messages.calls.lastIndexOf("begins 0")).toBeGreaterThan(messages.calls.indexOf("reset"));
  expect(noncesOf(watched)).toEqual([0, 7]);
  expect(chain.settled).toEqual([3]);
  await watcher.stop();
});

test("forgets a waiting update that L1 dropped", async () => {
  const watched = new WatchedL1(2);
  const { l1, chain, watcher } = watched;
  l1.mine([update(5)]);
  for (let i = 0; i < 2; i++) l1.mine([]);
  watcher.start();
  await watched.pass(1000);
  expect(watched.updates).toHaveLength(1);
  l1.drop(3);
  for (let i = 0; i < 4; i++) l1.mine([]);
  await watched.pass(5000);
  chain.latest = 9;
  await watched.pass(5000);
  expect(chain.settled).toEqual([]);
  await watcher.stop();
});

test("waits while the newest block is below those that were read", async () => {
  const watched = new WatchedL1(9);
  const { l1, messages, watcher } = watched;
  for (let i = 0; i < 8; i++) l1.mine([message(i)]);
  watcher.start();
  await watched.pass(9000);
  const calls = [...messages.calls];
  l1.lag = 4;
  await watched.pass(10_000);
  expect(messages.calls).toEqual(calls);
  expect(watched.eventsOf("failed")).toEqual([]);
  expect(watched.eventsOf("reorganized")).toEqual([]);
  l1.lag = 0;
  l1.mine([]);
  await watched.pass(1000);
  expect(messages.calls.slice(calls.length)).toEqual(["logs 6", "step 7"]);
  await watcher.stop();
});

test("reports and compares everything again after a reset", async () => {
  const watched = new WatchedL1(9);
  const { l1, messages, chain, state, watcher } = watched;
  chain.changed.set(3, { hash: 1n, stateRoot: 2n });
  l1.mine([update(3), message(0)]);
  for (let i = 0; i < 2; i++) l1.mine([]);
  watcher.start();
  await watched.pass(1000);
  expect(state.mismatch).toBeDefined();
  expect(watched.alarms).toHaveLength(1);
  chain.changed.clear();
  watcher.reset();
  await watched.pass(2000);
  expect(state.mismatch).toBeUndefined();
  expect(chain.settled).toEqual([3]);
  expect(messages.calls).toContain("reset");
  expect(noncesOf(watched)).toEqual([0]);
  await watcher.stop();
});

test("starts again immediately after a reset, without waiting for the next poll", async () => {
  const watched = new WatchedL1(9, { pollMs: 600_000 });
  const { l1, watcher } = watched;
  for (let i = 0; i < 2; i++) l1.mine([]);
  watcher.start();
  await watched.pass(1000);
  watcher.reset();
  await watched.pass(1000);
  expect(watched.eventsOf("begun")).toHaveLength(2);
  await watcher.stop();
});

test("stops immediately with a request pending, and sends no more", async () => {
  const watched = new WatchedL1(9);
  const { l1, messages, watcher } = watched;
  l1.faults = ["hang"];
  watcher.start();
  await watched.pass(1000);
  await watcher.stop();
  const { views } = l1;
  await watched.pass(120_000, 60_000);
  expect(l1.views).toBe(views);
  expect(messages.calls).toEqual([]);
  expect(watched.eventsOf("failed")).toEqual([]);
  expect(watched.timer.alarms).toBe(0);
});

describe("endpoints asked about a differing update", () => {
  const doubting = (): { readonly watched: WatchedL1; asked: number } => {
    const l1 = new MinedL1();
    const world = { asked: 0, watched: undefined as unknown as WatchedL1 };
    const stateReports = (): Promise<never> => {
      world.asked++;
      return new Promise(() => undefined);
    };
    world.watched = new WatchedL1(9, { source: { ...l1.source, stateReports } }, l1);
    world.watched.chain.changed.set(4, { hash: 0x1004n, stateRoot: 0xbadn });
    l1.mine([update(4)]);
    for (let i = 0; i < 2; i++) l1.mine([]);
    return world;
  };

  test("receive another request after a minute without a response", async () => {
    const world = doubting();
    const { watched } = world;
    watched.watcher.start();
    await watched.pass(30_000);
    expect(world.asked).toBe(1);
    await watched.pass(40_000);
    expect(world.asked).toBe(2);
    expect(watched.eventsOf("failed")[0]).toMatchObject({ part: "state" });
    await watched.watcher.stop();
  });

  test("do not delay the stop if they hang", async () => {
    const { watched } = doubting();
    watched.watcher.start();
    await watched.pass(1000);
    await watched.watcher.stop();
    expect(watched.eventsOf("failed")).toEqual([]);
    expect(watched.timer.alarms).toBe(0);
  });
});

test("a full node follows no messages", async () => {
  const watched = new WatchedL1(9, { messages: null });
  watched.l1.mine([message(0), update(2)]);
  for (let i = 0; i < 2; i++) watched.l1.mine([]);
  watched.watcher.start();
  await watched.pass(1000);
  expect(watched.chain.settled).toEqual([2]);
  await watched.watcher.stop();
});
