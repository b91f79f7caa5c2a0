import { describe, expect, test } from "bun:test";
import {
  type BlockSchedule,
  closesInMs,
  isByClock,
  MAX_UNCOMMITTED_BLOCKS,
  QUIET_MS,
  type ScheduleInput,
} from "#services/sequencer/index.ts";

const BY_CLOCK = { blockTimeMs: 1_000, onDemand: false, noEmptyBlocks: false };
const ON_DEMAND = { blockTimeMs: 1_000, onDemand: true, noEmptyBlocks: true };

/** Whether a block is due immediately. */
const shouldClose = (schedule: BlockSchedule, input: ScheduleInput): boolean =>
  closesInMs(schedule, input) === 0;

const state = (fields: Partial<ScheduleInput>): ScheduleInput => ({
  openForMs: 0,
  transactionCount: 1,
  full: false,
  idle: false,
  coming: 1,
  uncommittedBlocks: 0,
  quietForMs: 0,
  sinceCloseMs: Number.POSITIVE_INFINITY,
  lastCommitMs: 20,
  ...fields,
});

describe("by the clock", () => {
  test("closes a block at block_time, empty or not", () => {
    expect(shouldClose(BY_CLOCK, state({ openForMs: 999, idle: true }))).toBe(false);
    expect(shouldClose(BY_CLOCK, state({ openForMs: 1_000, transactionCount: 0 }))).toBe(true);
  });

  test("closes a full block immediately", () => {
    expect(shouldClose(BY_CLOCK, state({ full: true }))).toBe(true);
  });

  test("keeps an empty block open without empty blocks", () => {
    const schedule = { ...BY_CLOCK, noEmptyBlocks: true };
    expect(shouldClose(schedule, state({ openForMs: 5_000, transactionCount: 0 }))).toBe(false);
  });
});

test("always has a block open only with empty blocks", () => {
  expect(isByClock(BY_CLOCK)).toBe(true);
  expect(isByClock({ ...BY_CLOCK, noEmptyBlocks: true })).toBe(false);
  expect(isByClock(ON_DEMAND)).toBe(false);
});

describe("on demand", () => {
  test("closes no empty block, even if empty ones are allowed", () => {
    const schedule = { ...ON_DEMAND, noEmptyBlocks: false };
    const empty = { openForMs: 9_000, transactionCount: 0, idle: true };
    expect(shouldClose(schedule, state(empty))).toBe(false);
  });

  test("closes a block when nothing waits", () => {
    expect(shouldClose(ON_DEMAND, state({ idle: true }))).toBe(true);
    expect(shouldClose(ON_DEMAND, state({ idle: false }))).toBe(false);
  });

  test("gathers transactions for some commit durations while they arrive", () => {
    const soon = { idle: true, sinceCloseMs: 39 };
    expect(shouldClose(ON_DEMAND, state(soon))).toBe(false);
    expect(shouldClose(ON_DEMAND, state({ ...soon, sinceCloseMs: 40 }))).toBe(true);
    expect(shouldClose(ON_DEMAND, state({ ...soon, quietForMs: QUIET_MS }))).toBe(true);
  });

  test("gathers for half as long if nothing else is in flight", () => {
    const alone = { idle: true, coming: 0, sinceCloseMs: 19 };
    expect(shouldClose(ON_DEMAND, state(alone))).toBe(false);
    expect(shouldClose(ON_DEMAND, state({ ...alone, sinceCloseMs: 20 }))).toBe(true);
  });

  test("computes when a block is due", () => {
    const fresh = { idle: true, sinceCloseMs: 5 };
    const inMs = (fields: Partial<ScheduleInput>) =>
      closesInMs(ON_DEMAND, state({ ...fresh, ...fields }));
    expect(inMs({ quietForMs: 4 })).toBe(QUIET_MS - 4);
    expect(inMs({ sinceCloseMs: 30 })).toBe(10);
    expect(inMs({ coming: 0, sinceCloseMs: 18.5 })).toBe(1.5);
    expect(inMs({ openForMs: 998 })).toBe(2);
    expect(inMs({ uncommittedBlocks: 1, openForMs: 300 })).toBe(700);
    expect(inMs({ transactionCount: 0 })).toBe(Infinity);
    expect(closesInMs(BY_CLOCK, state({ openForMs: 1, transactionCount: 0 }))).toBe(999);
  });

  test("bounds the gathering for a slow committer", () => {
    const slow = { idle: true, lastCommitMs: 10_000, sinceCloseMs: 1_000 };
    expect(shouldClose(ON_DEMAND, state(slow))).toBe(true);
  });

  test("keeps a block open while the committer works, so that a burst shares it", () => {
    expect(shouldClose(ON_DEMAND, state({ idle: true, uncommittedBlocks: 1 }))).toBe(false);
  });

  test("closes a block at block_time in any case", () => {
    const busy = { openForMs: 1_000, uncommittedBlocks: 1 };
    expect(shouldClose(ON_DEMAND, state(busy))).toBe(true);
    expect(shouldClose(ON_DEMAND, state({ ...busy, idle: true }))).toBe(true);
  });
});

test("closes no block while the committer is at its limit", () => {
  const behind = { full: true, openForMs: 9_000, uncommittedBlocks: MAX_UNCOMMITTED_BLOCKS };
  expect(shouldClose(BY_CLOCK, state(behind))).toBe(false);
});
