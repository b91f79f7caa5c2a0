import { expect, test } from "bun:test";
import { BATCH_PAUSE_MS, PullPace, SLEEP_MS } from "#app/node/threads/pull-pace.ts";

function paceAt(batchSize: number) {
  const clock = { nowMs: 1_000 };
  return { clock, pace: new PullPace(batchSize, () => clock.nowMs) };
}

test("asks at once in the beginning", () => {
  const { pace } = paceAt(64);
  expect([pace.isAsleep, pace.pauseMs <= 0, pace.isIdle]).toEqual([false, true, true]);
});

test("an empty batch lets it sleep for a while", () => {
  const { clock, pace } = paceAt(64);
  pace.batch(0);
  clock.nowMs += SLEEP_MS - 1;
  expect(pace.isAsleep).toBe(true);
  clock.nowMs += 1;
  expect(pace.isAsleep).toBe(false);
});

test("what arrives, or is given back, wakes it", () => {
  const { pace } = paceAt(64);
  pace.batch(0);
  pace.wake();
  expect(pace.isAsleep).toBe(false);
});

test("a small batch is followed by a pause, in which others may join the next one", () => {
  const { clock, pace } = paceAt(64);
  pace.batch(63);
  expect([pace.isIdle, pace.pauseMs <= 0, pace.isAsleep]).toEqual([true, true, false]);
  pace.executed();
  expect(pace.pauseMs).toBe(BATCH_PAUSE_MS);
  clock.nowMs += BATCH_PAUSE_MS;
  expect(pace.pauseMs).toBe(0);
});

test("after a full batch there is more, and no pause", () => {
  const { pace } = paceAt(64);
  pace.batch(64);
  pace.executed();
  expect([pace.isIdle, pace.pauseMs <= 0]).toEqual([false, true]);
});
