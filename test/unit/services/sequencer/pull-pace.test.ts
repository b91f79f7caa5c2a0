import { expect, test } from "bun:test";
import {
  afterBatch,
  afterExecution,
  awakened,
  BATCH_PAUSE_MS,
  FIRST_PACE,
  SLEEP_MS,
} from "#services/sequencer/pull-pace.ts";

const BATCH_SIZE = 64;
const NOW_MS = 1_000;

test("asks at once in the beginning", () => {
  expect(FIRST_PACE.asleepUntilMs).toBeLessThan(0);
  expect(FIRST_PACE.pauseEndsMs).toBeLessThan(0);
  expect(FIRST_PACE.isIdle).toBe(true);
});

test("an empty batch lets it sleep for a while", () => {
  const pace = afterBatch(FIRST_PACE, 0, BATCH_SIZE, NOW_MS);
  expect(pace.asleepUntilMs).toBe(NOW_MS + SLEEP_MS);
  expect([SLEEP_MS, BATCH_PAUSE_MS]).toEqual([250, 10]);
});

test("what arrives, or is given back, wakes it", () => {
  const pace = awakened(afterBatch(FIRST_PACE, 0, BATCH_SIZE, NOW_MS));
  expect(pace.asleepUntilMs).toBeLessThan(0);
});

test("a small batch is followed by a pause, in which others may join the next one", () => {
  const pace = afterBatch(FIRST_PACE, BATCH_SIZE - 1, BATCH_SIZE, NOW_MS);
  expect(pace).toEqual(FIRST_PACE);
  expect(afterExecution(pace, NOW_MS).pauseEndsMs).toBe(NOW_MS + BATCH_PAUSE_MS);
});

test("after a full batch there is more, and no pause", () => {
  const pace = afterExecution(afterBatch(FIRST_PACE, BATCH_SIZE, BATCH_SIZE, NOW_MS), NOW_MS);
  expect(pace).toEqual({ ...FIRST_PACE, isIdle: false });
});

test("a pause goes on when something arrives", () => {
  const pace = awakened(afterExecution(FIRST_PACE, NOW_MS));
  expect(pace.pauseEndsMs).toBe(NOW_MS + BATCH_PAUSE_MS);
});
