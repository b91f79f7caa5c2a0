import { expect, test } from "bun:test";
import { ObjectStoreError } from "#base/errors/index.ts";
import { LEADER, type LeaderRecord } from "#services/replication/index.ts";
import { Heartbeat } from "#services/replication/heartbeat.ts";
import { FakeTimer } from "#test/helpers/fake-timer.ts";
import {
  instanceOf,
  leaderRecord,
  pass,
  storedLeader,
  writeLeader,
} from "#test/helpers/leader-records.ts";
import { MemoryObjectStore } from "#test/helpers/memory-object-store.ts";

function world(store = new MemoryObjectStore(), given: Partial<LeaderRecord> = {}) {
  const timer = new FakeTimer();
  const deposedBy: LeaderRecord[] = [];
  const attempts: (string | undefined)[] = [];
  let newest = 7;
  const { epoch, instance, run, gatewayUrl } = leaderRecord(given);
  const heartbeat = new Heartbeat({
    store,
    self: { epoch, instance, run, gatewayUrl },
    predecessor: instanceOf("run before"),
    newestBlock: () => newest,
    onDeposed: (by) => void deposedBy.push(by),
    onAttempt: (failure) => void attempts.push(failure?.message),
    timer,
  });
  return {
    store,
    timer,
    heartbeat,
    deposedBy,
    attempts,
    grow: () => void newest++,
    counter: () => storedLeader(store)?.counter,
  };
}

test("writes the record immediately and each second, with the newest block", async () => {
  const { heartbeat, store, timer, grow, counter } = world();
  heartbeat.start();
  await pass(timer, 100);
  expect(storedLeader(store)).toEqual(leaderRecord({ counter: 1, newestBlock: 7 }));
  grow();
  await pass(timer, 800);
  expect(counter()).toBe(1);
  await pass(timer, 200);
  expect(storedLeader(store)).toEqual(leaderRecord({ counter: 2, newestBlock: 8 }));
  await pass(timer, 5_000);
  expect(counter()).toBe(7);
  // An undisturbed heartbeat reads nothing.
  expect(store.questions.filter(({ method }) => method === "get")).toHaveLength(1);
});

test("a slow response delays only the next heartbeat", async () => {
  const { heartbeat, store, timer, counter } = world();
  store.fault = async ({ method }) => {
    if (method !== "get") await new Promise<void>((go) => void timer.after(1_500, go));
    return "none" as const;
  };
  heartbeat.start();
  await pass(timer, 6_100);
  expect(counter()).toBe(4);
});

test("marks a clean stop once a pending write has ended", async () => {
  const { heartbeat, store, timer } = world();
  heartbeat.start();
  await pass(timer, 100);
  await heartbeat.stop();
  expect(storedLeader(store)).toMatchObject({ hasStopped: true, counter: 2 });
  await pass(timer, 3_000);
  expect(storedLeader(store)?.counter).toBe(2);
});

test("waits at most a second for the store at its stop", async () => {
  const { heartbeat, store, timer } = world();
  heartbeat.start();
  await pass(timer, 100);
  store.fault = () => new Promise<never>(() => undefined);
  let hasEnded = false;
  const ended = heartbeat.stop().then(() => (hasEnded = true));
  await pass(timer, 900);
  expect(hasEnded).toBe(false);
  await pass(timer, 100);
  expect(await ended).toBe(true);
});

test("does not report a stopped store as a failure", async () => {
  const { heartbeat, store, timer, attempts } = world();
  heartbeat.start();
  await pass(timer, 100);
  store.fault = () => {
    throw new ObjectStoreError("OBJECT_STORE_STOPPED", "asked no more", false);
  };
  await pass(timer, 3_000);
  expect(attempts).toEqual([undefined]);
  store.fault = () => "down";
  await pass(timer, 1_000);
  expect(attempts).toEqual([undefined, "no answer"]);
});

test("writes nothing once abandoned, not even at its stop", async () => {
  const { heartbeat, timer, counter, store } = world();
  heartbeat.start();
  await pass(timer, 100);
  heartbeat.abandon();
  await heartbeat.stop();
  await pass(timer, 3_000);
  expect([counter(), storedLeader(store)?.hasStopped]).toEqual([1, false]);
});

test("continues the counter of an earlier run", async () => {
  const store = new MemoryObjectStore();
  writeLeader(store, { run: instanceOf("run before"), counter: 40, hasStopped: true });
  const { heartbeat, timer, deposedBy } = world(store);
  heartbeat.start();
  await pass(timer, 100);
  expect(storedLeader(store)).toMatchObject({ counter: 41, hasStopped: false });
  expect(deposedBy).toEqual([]);
});

test("replaces a malformed record", async () => {
  const store = new MemoryObjectStore();
  store.objects.set(LEADER, new TextEncoder().encode("nobody"));
  const { heartbeat, timer, counter } = world(store);
  heartbeat.start();
  await pass(timer, 100);
  expect(counter()).toBe(1);
});

test.each([
  ["a later epoch", { epoch: 2, instance: instanceOf("b") }],
  ["a later epoch of the same sequencer", { epoch: 2 }],
  ["the same epoch", { instance: instanceOf("b"), run: instanceOf("run b") }],
  ["a copy of the data directory", { run: instanceOf("run b") }],
])("is deposed by a record with %s, and writes nothing afterwards", async (_, given) => {
  const { heartbeat, store, timer, deposedBy } = world();
  heartbeat.start();
  await pass(timer, 100);
  writeLeader(store, given);
  await pass(timer, 5_000);
  expect(deposedBy).toEqual([leaderRecord(given)]);
  await heartbeat.stop();
  expect(storedLeader(store)).toEqual(leaderRecord(given));
});

test("overwrites a record of an earlier epoch", async () => {
  const { heartbeat, store, timer, deposedBy, counter } = world(undefined, { epoch: 3 });
  heartbeat.start();
  await pass(timer, 100);
  writeLeader(store, { epoch: 2, instance: instanceOf("b"), counter: 900 });
  await pass(timer, 1_000);
  expect(storedLeader(store)).toMatchObject({ epoch: 3, instance: instanceOf("a") });
  expect([deposedBy, counter()]).toEqual([[], 901]);
});

test("recognizes its own record after a lost response", async () => {
  const { heartbeat, store, timer, deposedBy, counter, attempts } = world();
  let isLost = false;
  store.fault = ({ method }) => (method !== "get" && (isLost = !isLost) ? "lost" : "none");
  heartbeat.start();
  await pass(timer, 10_000);
  expect(deposedBy).toEqual([]);
  expect(counter()).toBeGreaterThanOrEqual(10);
  expect(attempts.slice(0, 4)).toEqual(["no answer", undefined, "no answer", undefined]);
});

test("recognizes its own late write", async () => {
  const { heartbeat, store, timer, deposedBy } = world();
  heartbeat.start();
  await pass(timer, 2_100);
  // The write of a second ago arrives now.
  writeLeader(store, { counter: 2, newestBlock: 7 });
  await pass(timer, 2_000);
  expect(deposedBy).toEqual([]);
  expect(storedLeader(store)?.counter).toBeGreaterThan(3);
});

test.each(["down", "denied", "conflict", "lost"] as const)(
  "resumes once a store that was %s for a minute recovers",
  async (fault) => {
    const { heartbeat, store, timer, deposedBy, counter, attempts } = world();
    heartbeat.start();
    await pass(timer, 100);
    store.fault = () => fault;
    await pass(timer, 60_000, 500);
    store.fault = () => "none";
    const before = counter() ?? 0;
    await pass(timer, 3_000);
    expect(counter()).toBeGreaterThan(before);
    expect([deposedBy, attempts.at(-1)]).toEqual([[], undefined]);
  },
);

test("writes a deleted record again", async () => {
  const { heartbeat, store, timer, deposedBy } = world();
  heartbeat.start();
  await pass(timer, 100);
  store.objects.delete(LEADER);
  await pass(timer, 1_000);
  expect(storedLeader(store)).toBeDefined();
  expect(deposedBy).toEqual([]);
});

test("replaces a record without an ETag once, then writes conditionally", async () => {
  const store = new MemoryObjectStore();
  writeLeader(store, { counter: 40, run: instanceOf("run before") });
  store.copies.add(LEADER);
  const { heartbeat, timer, attempts, counter } = world(store);
  heartbeat.start();
  await pass(timer, 3_500);
  expect(counter()).toBe(44);
  const puts = store.questions.map(({ method }) => method).filter((method) => method !== "get");
  expect(puts).toEqual(["put", "putIfMatch", "putIfMatch", "putIfMatch"]);
  expect(attempts).toEqual([undefined, undefined, undefined, undefined]);
});

test("keeps writing a record that lost its ETag, until another node leads", async () => {
  const { heartbeat, store, timer, deposedBy, counter } = world();
  heartbeat.start();
  await pass(timer, 1_100);
  store.copies.add(LEADER);
  await pass(timer, 2_000);
  expect([counter(), deposedBy]).toEqual([5, []]);
  const next = leaderRecord({ epoch: 9, run: instanceOf("another run") });
  writeLeader(store, next);
  store.copies.add(LEADER);
  await pass(timer, 2_000);
  expect(deposedBy).toEqual([next]);
  expect(storedLeader(store)).toEqual(next);
});
