import { expect, test } from "bun:test";
import { WatchedL1 } from "#test/helpers/l1-watcher.ts";

const update = (blockNumber: number) => ({ kind: "update", blockNumber }) as const;
const message = (nonce: number) => ({ kind: "message", nonce }) as const;

function noncesOf({ messages }: WatchedL1): readonly number[] {
  return messages.taken.map(({ nonce }) => Number(nonce));
}

test("slow messages do not delay settlement, and are processed one step at a time", async () => {
  const watched = new WatchedL1(9);
  const { l1, messages, chain, watcher } = watched;
  messages.faults = [undefined, "hang"];
  for (let i = 0; i < 3; i++) l1.mine([message(i)]);
  watcher.start();
  await watched.pass(1000);
  for (let i = 1; i < 6; i++) {
    l1.mine([update(i), message(10 + i)]);
    l1.mine([]);
    l1.mine([]);
    await watched.pass(3000);
    expect(chain.accepted).toBe(i);
  }
  expect(messages.steps).toEqual([]);
  messages.release();
  await watched.pass(0);
  // One waiting step remains, with the newest view.
  expect(messages.steps.map(({ block }) => block.number)).toEqual([1, 16]);
  expect(noncesOf(watched)).toEqual([0, 1, 2, 11, 12, 13, 14, 15]);
  expect(messages.mostOpen).toBe(1);
  await watcher.stop();
});

test("retries a failed message step, and replays logs that were not accepted", async () => {
  const watched = new WatchedL1(9);
  const { l1, messages, watcher } = watched;
  messages.faults = [undefined, "error"];
  for (let i = 0; i < 4; i++) l1.mine([message(i)]);
  watcher.start();
  await watched.pass(1000);
  expect(watched.eventsOf("failed")).toMatchObject([{ part: "messages" }]);
  expect(messages.calls).toEqual(["begins 0", "logs 0 1", "step 2"]);
  messages.faults = ["error"];
  l1.mine([message(4)]);
  await watched.pass(4000);
  expect(messages.calls.slice(3, 6)).toEqual(["reset", "begins 0", "logs 0 1 2"]);
  expect(noncesOf(watched)).toEqual([0, 1, 2]);
  await watcher.stop();
});

test("replays rejected logs with growing delays, without delaying anything else", async () => {
  const watched = new WatchedL1(99, { rangeBlocks: 1000 });
  const { l1, chain, messages, watcher } = watched;
  messages.faults = Array.from({ length: 1000 }, () => "error");
  for (let i = 0; i < 100; i++) l1.mine([message(i), update(i)]);
  watcher.start();
  const failedAtMs: number[] = [];
  for (let i = 0; i < 120; i++) {
    const before = watched.eventsOf("failed").length;
    await watched.pass(1000);
    if (watched.eventsOf("failed").length > before) failedAtMs.push(watched.timer.nowMs());
  }
  const pauses = failedAtMs.map((atMs, i) => atMs - (failedAtMs[i - 1] ?? 0)).slice(1);
  // 2, 4, 8 and 15 seconds, plus one tick of the test's clock.
  expect(pauses.slice(0, 6)).toEqual([1000, 3000, 5000, 9000, 16_000, 16_000]);
  expect(chain.accepted).toBe(97);
  for (let i = 0; i < 3; i++) l1.mine([]);
  await watched.pass(2000);
  expect(chain.accepted).toBe(99);
  messages.faults = [];
  await watched.pass(40_000);
  expect(noncesOf(watched)).toEqual(Array.from({ length: 100 }, (_, i) => i));
  // A success resets the delay.
  const { length } = watched.eventsOf("begun");
  messages.faults = ["error"];
  l1.mine([message(200)]);
  await watched.pass(5000);
  expect(watched.eventsOf("begun")).toHaveLength(length + 1);
  await watcher.stop();
});

test("gives up messages after a minute without a response from L1", async () => {
  const watched = new WatchedL1(9);
  const { l1, messages, watcher } = watched;
  l1.mine([]);
  l1.mine([]);
  watcher.start();
  await watched.pass(1000);
  messages.faults = ["ask"];
  // The view and its confirmation succeed; the request for messages hangs.
  l1.faults = [undefined, undefined, "hang"];
  await watched.pass(59_000);
  expect(watched.eventsOf("failed")).toEqual([]);
  await watched.pass(3000);
  expect(watched.eventsOf("failed")).toMatchObject([
    { part: "messages", error: { code: "L1_STALLED" } },
  ]);
  await watcher.stop();
});

test("a reset during a step starts again once the step has ended", async () => {
  const watched = new WatchedL1(9);
  const { l1, messages, watcher } = watched;
  for (let i = 0; i < 4; i++) l1.mine([message(i)]);
  messages.faults = ["hang"];
  watcher.start();
  await watched.pass(0);
  expect(messages.open).toBe(1);
  l1.faults = ["hang"];
  l1.mine([]);
  await watched.pass(1000);
  watcher.reset();
  await watched.pass(5000);
  // The call is still running: no other call is made.
  expect(messages.calls).toEqual(["begins 0"]);
  messages.release();
  await watched.pass(2000);
  expect(messages.calls.slice(1, 5)).toEqual(["logs 0 1", "reset", "begins 0", "logs 0 1 2"]);
  expect(noncesOf(watched)).toEqual([0, 1, 2]);
  expect(messages.mostOpen).toBe(1);
  expect(watched.eventsOf("failed")).toEqual([]);
  await watcher.stop();
});

test("a reset gives up a pending request for messages, which is no failure", async () => {
  const watched = new WatchedL1(9);
  const { l1, messages, watcher } = watched;
  for (let i = 0; i < 2; i++) l1.mine([message(i)]);
  watcher.start();
  await watched.pass(1000);
  messages.faults = ["ask"];
  l1.faults = [undefined, undefined, "hang"];
  await watched.pass(5000);
  const { length } = messages.calls;
  watcher.reset();
  await watched.pass(2000);
  expect(messages.calls.slice(length, length + 3)).toEqual(["reset", "begins 0", "logs "]);
  expect(watched.eventsOf("failed")).toEqual([]);
  await watcher.stop();
});

test("reads no further ahead than messages can be processed, and completes", async () => {
  const watched = new WatchedL1(99);
  const { l1, chain, messages, watcher } = watched;
  const count = 40;
  for (let i = 0; i < count; i++) {
    l1.mine([{ kind: "message", nonce: i, words: 1 << 18 }, update(i)]);
  }
  for (let i = 0; i < 2; i++) l1.mine([]);
  messages.faults = ["hang"];
  watcher.start();
  await watched.pass(20_000);
  // One range of ten blocks is processed and the next one is queued.
  expect(l1.ranges).toEqual([
    [0, 9],
    [10, 19],
  ]);
  expect(chain.accepted).toBe(18);
  messages.release();
  await watched.pass(10_000);
  expect(noncesOf(watched)).toEqual(Array.from({ length: count }, (_, i) => i));
  expect(chain.accepted).toBe(count - 1);
  await watcher.stop();
});
