import { expect, test } from "bun:test";
import { LEADER } from "#services/replication/index.ts";
import { type LeaderSeen, LeaderWatch } from "#services/replication/leader-watch.ts";
import { FakeTimer } from "#test/helpers/fake-timer.ts";
import { leaderRecord, pass, writeLeader } from "#test/helpers/leader-records.ts";
import { MemoryObjectStore } from "#test/helpers/memory-object-store.ts";

function world(silenceMs = 60_000) {
  const store = new MemoryObjectStore();
  const timer = new FakeTimer();
  const seen: LeaderSeen[] = [];
  const unseen: string[] = [];
  const watch = new LeaderWatch({
    store,
    silenceMs,
    timer,
    onSeen: (look) => void seen.push(look),
    onUnseen: ({ message }) => void unseen.push(message),
  });
  return { store, timer, seen, unseen, watch };
}

test("polls twice a second, and reports the time without a change", async () => {
  const { store, timer, seen, watch } = world();
  writeLeader(store);
  watch.start();
  await pass(timer, 2_000);
  expect(seen.map(({ silentMs }) => silentMs)).toEqual([0, 500, 1_000, 1_500, 2_000]);
  expect(seen.every(({ leader, hasMoved }) => leader?.counter === 1 && !hasMoved)).toBe(true);
});

test("polls exactly when the requested silence is reached", async () => {
  const { store, timer, seen, watch } = world(1_000);
  writeLeader(store);
  store.fault = async () => {
    await new Promise<void>((go) => void timer.after(20, go));
    return "none" as const;
  };
  watch.start();
  await pass(timer, 1_040, 20);
  expect(seen.map(({ silentMs }) => silentMs)).toEqual([0, 480, 980, 1_000]);
  // Afterwards at the usual interval.
  await pass(timer, 500, 20);
  expect(seen.map(({ silentMs }) => silentMs).slice(4)).toEqual([1_500]);
});

test("a higher counter ends the silence", async () => {
  const { store, timer, seen, watch } = world();
  writeLeader(store);
  watch.start();
  await pass(timer, 1_900);
  writeLeader(store, { counter: 2 });
  await pass(timer, 100);
  expect(seen.at(-1)).toEqual({
    leader: leaderRecord({ counter: 2 }),
    silentMs: 0,
    hasMoved: true,
  });
  await pass(timer, 1_000);
  expect(seen.at(-1)).toMatchObject({ silentMs: 1_000, hasMoved: false });
});

test("does not count an outage as silence, and measures again from the next response", async () => {
  const { store, timer, seen, unseen, watch } = world();
  writeLeader(store);
  watch.start();
  await pass(timer, 3_000);
  expect(seen.at(-1)?.silentMs).toBe(3_000);
  store.fault = () => "down";
  await pass(timer, 10_000);
  expect(unseen).toHaveLength(20);
  store.fault = () => "none";
  seen.length = 0;
  await pass(timer, 1_000);
  expect(seen.map(({ silentMs }) => silentMs)).toEqual([0, 500]);
});

test("restarts the measurement after each failed poll", async () => {
  const { store, timer, seen, watch } = world();
  writeLeader(store);
  let looks = 0;
  store.fault = () => (looks++ % 4 === 3 ? "denied" : "none");
  watch.start();
  await pass(timer, 20_000, 500);
  expect(Math.max(...seen.map(({ silentMs }) => silentMs))).toBe(1_000);
});

test("does not count response time as silence", async () => {
  const { store, timer, seen, watch } = world();
  writeLeader(store);
  store.fault = async () => {
    await new Promise<void>((go) => void timer.after(2_000, go));
    return "none" as const;
  };
  watch.start();
  await pass(timer, 4_100);
  // The record was equal at 2 s and at 4 s; the time in between is unknown.
  expect(seen.map(({ silentMs }) => silentMs)).toEqual([0, 0]);
});

test("reports a missing or malformed record as no leader, which counts as silence", async () => {
  const { store, timer, seen, watch } = world();
  watch.start();
  await pass(timer, 1_000);
  expect(seen.at(-1)).toEqual({ leader: undefined, silentMs: 1_000, hasMoved: false });
  store.objects.set(LEADER, new Uint8Array([123, 0, 255]));
  await pass(timer, 1_000);
  expect(seen.at(-1)).toEqual({ leader: undefined, silentMs: 2_000, hasMoved: false });
  writeLeader(store);
  await pass(timer, 500);
  expect(seen.at(-1)).toMatchObject({ silentMs: 0, hasMoved: true });
});

test("reports nothing after a stop, even with a poll pending", async () => {
  const { store, timer, seen, watch } = world();
  writeLeader(store);
  watch.start();
  await pass(timer, 500);
  const before = seen.length;
  timer.advance(500);
  watch.stop();
  await pass(timer, 2_000);
  expect(seen).toHaveLength(before);
  expect(timer.alarms).toBe(0);
});
