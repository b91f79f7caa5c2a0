import { expect, test } from "bun:test";
import {
  afterBatch,
  afterExecution,
  awakened,
  BATCH_PAUSE_MS,
  FIRST_PACE,
  SLEEP_MS,
  woken,
} from "#services/sequencer/pull-pace.ts";

const BATCH_SIZE = 64;
const NOW_MS = 1_000;

test("requests immediately at first", () => {
  expect(FIRST_PACE.asleepUntilMs).toBeLessThan(0);
  expect(FIRST_PACE.pauseEndsMs).toBeLessThan(0);
  expect(FIRST_PACE.isIdle).toBe(true);
});

test("sleeps after an empty batch", () => {
  const pace = afterBatch(FIRST_PACE, { count: 0, coming: 0 }, BATCH_SIZE, NOW_MS);
  expect(pace.asleepUntilMs).toBe(NOW_MS + SLEEP_MS);
  expect([SLEEP_MS, BATCH_PAUSE_MS]).toEqual([250, 10]);
});

test("wakes when something arrives or is given back", () => {
  const pace = awakened(afterBatch(FIRST_PACE, { count: 0, coming: 0 }, BATCH_SIZE, NOW_MS));
  expect(pace.asleepUntilMs).toBeLessThan(0);
});

test("pauses after a small batch while more are in flight", () => {
  const pace = afterBatch(FIRST_PACE, { count: BATCH_SIZE - 1, coming: 1 }, BATCH_SIZE, NOW_MS);
  expect(pace).toEqual({ ...FIRST_PACE, coming: 1 });
  expect(afterExecution(pace, false, NOW_MS).pauseEndsMs).toBe(NOW_MS + BATCH_PAUSE_MS);
});

test("does not pause after a full batch", () => {
  const batch = { count: BATCH_SIZE, coming: 1 };
  const pace = afterExecution(afterBatch(FIRST_PACE, batch, BATCH_SIZE, NOW_MS), true, NOW_MS);
  expect(pace).toEqual({ ...FIRST_PACE, isIdle: false, coming: 1 });
});

test("does not pause if nothing is in flight", () => {
  const pace = afterBatch(FIRST_PACE, { count: 1, coming: 0 }, BATCH_SIZE, NOW_MS);
  expect(afterExecution(pace, false, NOW_MS)).toEqual(FIRST_PACE);
});

test("pauses after a batch was given back", () => {
  expect(afterExecution(FIRST_PACE, true, NOW_MS).pauseEndsMs).toBe(NOW_MS + BATCH_PAUSE_MS);
});

test("continues a pause when something arrives, and resumes when all have arrived", () => {
  const paused = afterExecution({ ...FIRST_PACE, coming: 2 }, false, NOW_MS);
  expect(awakened(paused).pauseEndsMs).toBe(NOW_MS + BATCH_PAUSE_MS);
  expect(woken(paused, 1)).toMatchObject({ pauseEndsMs: NOW_MS + BATCH_PAUSE_MS, coming: 1 });
  expect(woken(paused, 0)).toEqual(FIRST_PACE);
});

test("wakes when admission has something", () => {
  const asleep = afterBatch(FIRST_PACE, { count: 0, coming: 0 }, BATCH_SIZE, NOW_MS);
  expect(woken(asleep, 4)).toEqual({ ...FIRST_PACE, coming: 4 });
});
