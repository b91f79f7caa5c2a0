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

/** Whether a block is due at once. */
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
  test("a block closes at block_time, empty or not", () => {
    expect(shouldClose(BY_CLOCK, state({ openForMs: 999, idle: true }))).toBe(false);
    expect(shouldClose(BY_CLOCK, state({ openForMs: 1_000, transactionCount: 0 }))).toBe(true);
  });

  test("a full block closes at once", () => {
    expect(shouldClose(BY_CLOCK, state({ full: true }))).toBe(true);
  });

  test("without empty blocks an empty one stays open", () => {
    const schedule = { ...BY_CLOCK, noEmptyBlocks: true };
    expect(shouldClose(schedule, state({ openForMs: 5_000, transactionCount: 0 }))).toBe(false);
  });
});

test("only a chain by the clock that makes empty blocks has one open all the time", () => {
  expect(isByClock(BY_CLOCK)).toBe(true);
  expect(isByClock({ ...BY_CLOCK, noEmptyBlocks: true })).toBe(false);
  expect(isByClock(ON_DEMAND)).toBe(false);
});

describe("on demand", () => {
  test("no empty block is closed, also where empty ones are not forbidden", () => {
    const schedule = { ...ON_DEMAND, noEmptyBlocks: false };
    const empty = { openForMs: 9_000, transactionCount: 0, idle: true };
    expect(shouldClose(schedule, state(empty))).toBe(false);
  });

  test("a block closes when nothing waits any more", () => {
    expect(shouldClose(ON_DEMAND, state({ idle: true }))).toBe(true);
    expect(shouldClose(ON_DEMAND, state({ idle: false }))).toBe(false);
  });

  test("a block gathers transactions for some commits' time while they keep coming", () => {
    const soon = { idle: true, sinceCloseMs: 39 };
    expect(shouldClose(ON_DEMAND, state(soon))).toBe(false);
    expect(shouldClose(ON_DEMAND, state({ ...soon, sinceCloseMs: 40 }))).toBe(true);
    expect(shouldClose(ON_DEMAND, state({ ...soon, quietForMs: QUIET_MS }))).toBe(true);
  });

  test("a block whose transactions wait alone gathers for half as long", () => {
    const alone = { idle: true, coming: 0, sinceCloseMs: 19 };
    expect(shouldClose(ON_DEMAND, state(alone))).toBe(false);
    expect(shouldClose(ON_DEMAND, state({ ...alone, sinceCloseMs: 20 }))).toBe(true);
  });

  test("it is known when a block is due", () => {
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

  test("a slow committer does not make blocks gather for long", () => {
    const slow = { idle: true, lastCommitMs: 10_000, sinceCloseMs: 1_000 };
    expect(shouldClose(ON_DEMAND, state(slow))).toBe(true);
  });

  test("a block stays open while the committer works, so that a burst shares it", () => {
    expect(shouldClose(ON_DEMAND, state({ idle: true, uncommittedBlocks: 1 }))).toBe(false);
  });

  test("block_time closes it in any case", () => {
    const busy = { openForMs: 1_000, uncommittedBlocks: 1 };
    expect(shouldClose(ON_DEMAND, state(busy))).toBe(true);
    expect(shouldClose(ON_DEMAND, state({ ...busy, idle: true }))).toBe(true);
  });
});

test("no block is closed while the committer is as far behind as allowed", () => {
  const behind = { full: true, openForMs: 9_000, uncommittedBlocks: MAX_UNCOMMITTED_BLOCKS };
  expect(shouldClose(BY_CLOCK, state(behind))).toBe(false);
});
