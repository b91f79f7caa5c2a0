import { expect, test } from "bun:test";
import { findLeader } from "#services/replication/index.ts";
import { FakeTimer } from "#test/helpers/fake-timer.ts";
import { leaderRecord, pass, writeLeader } from "#test/helpers/leader-records.ts";
import { MemoryObjectStore } from "#test/helpers/memory-object-store.ts";

function world() {
  const store = new MemoryObjectStore();
  const timer = new FakeTimer();
  const ended = new AbortController();
  const unseen: string[] = [];
  const find = () =>
    findLeader({
      store,
      timer,
      onUnseen: ({ message }) => void unseen.push(message),
      signal: ended.signal,
    });
  return { store, timer, ended, unseen, find };
}

test.each([
  ["reports immediately that there was no leader", undefined],
  ["reports a cleanly stopped leader immediately", { hasStopped: true }],
])("%s", async (_, given) => {
  const { store, timer, find } = world();
  if (given !== undefined) writeLeader(store, given);
  const found = find();
  await pass(timer, 100);
  expect(await found).toEqual({ leader: given && leaderRecord(given), isAlive: false });
  expect(timer.alarms).toBe(0);
});

test("reports a leader with a heartbeat as alive", async () => {
  const { store, timer, find } = world();
  writeLeader(store);
  const found = find();
  await pass(timer, 2_400);
  writeLeader(store, { counter: 2 });
  await pass(timer, 500);
  expect(await found).toEqual({ leader: leaderRecord({ counter: 2 }), isAlive: true });
});

test("reports a leader without a heartbeat for three seconds as gone", async () => {
  const { store, timer, find } = world();
  writeLeader(store);
  let isFound = false;
  const found = find().finally(() => (isFound = true));
  await pass(timer, 2_900);
  expect(isFound).toBe(false);
  await pass(timer, 100);
  expect(await found).toEqual({ leader: leaderRecord(), isAlive: false });
});

test("retries an unavailable store until aborted", async () => {
  const { store, timer, ended, unseen, find } = world();
  writeLeader(store);
  store.fault = () => "down";
  const found = find();
  await pass(timer, 60_000, 500);
  expect(unseen.length).toBeGreaterThan(100);
  ended.abort();
  expect(await found).toBeUndefined();
  expect(timer.alarms).toBe(0);
  expect(await find()).toBeUndefined();
});
