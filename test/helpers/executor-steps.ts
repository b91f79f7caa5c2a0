import { describe, expect, test } from "bun:test";
import {
  type ExecutorEffect,
  type ExecutorEvent,
  type ExecutorState,
  FIRST_STATE,
} from "#services/sequencer/executor-state.ts";
import { step } from "#services/sequencer/executor-step.ts";
import { BATCH_PAUSE_MS, FIRST_PACE } from "#services/sequencer/pull-pace.ts";
import type { BlockSchedule } from "#services/sequencer/index.ts";

/** The moment of every step; milliseconds. */
export const NOW = 10_000;
/** Of every schedule; milliseconds. */
export const BLOCK_TIME = 1_000;
/** Most transactions of a batch. */
export const BATCH_SIZE = 64;
/** Milliseconds between two looks at the clock. */
export const TICK = 20;

/** Blocks at the block time, empty ones too. */
export const BY_CLOCK = { blockTimeMs: BLOCK_TIME, onDemand: false, noEmptyBlocks: false };
/** Blocks when transactions come. */
export const ON_DEMAND = { blockTimeMs: BLOCK_TIME, onDemand: true, noEmptyBlocks: true };
/** Blocks at the block time, if there are transactions. */
export const NO_EMPTY = { blockTimeMs: BLOCK_TIME, onDemand: false, noEmptyBlocks: true };

/** A batch is asked for. */
export const TAKE: ExecutorEffect = { kind: "take", max: BATCH_SIZE };
/** A block is opened. */
export const OPEN: ExecutorEffect = { kind: "open" };
/** A block is to be opened by a transaction. */
export const PREPARE: ExecutorEffect = { kind: "prepare" };

/** The committer has finished a block in 10 ms. */
export const ACCEPTED: ExecutorEvent = { kind: "accepted", commitMs: 10 };

/** The batch at hand is executed. */
export const execute = (attempt = 1): ExecutorEffect => ({ kind: "execute", attempt });

/** The open block is sealed. */
export const seal = (openedAtMs: number, attempt = 1): ExecutorEffect => ({
  kind: "seal",
  attempt,
  openedAtMs,
});

/** Another look is taken when the open block is due. */
export const closeAlarm = (delayMs: number): ExecutorEffect => ({
  kind: "setAlarm",
  alarm: "close",
  delayMs,
});

/** A batch is asked for after a pause. */
export const pauseAlarm = (delayMs = BATCH_PAUSE_MS): ExecutorEffect => ({
  kind: "setAlarm",
  alarm: "pause",
  delayMs,
});

/** A batch comes. */
export const batch = (count: number, attempt = 1, coming = 0): ExecutorEvent => ({
  kind: "batch",
  count,
  coming,
  attempt,
});

/** The batch at hand was executed, which took 5 ms. */
export const executed = (
  transactionCount: number,
  parts: Partial<Extract<ExecutorEvent, { kind: "executed" }>> = {},
): ExecutorEvent => ({
  kind: "executed",
  startedAtMs: NOW - 5,
  isOpen: transactionCount > 0,
  transactionCount,
  full: false,
  gaveBack: false,
  ...parts,
});

/** An open block. */
export const block = (
  transactionCount: number,
  openedAtMs = NOW - 100,
): ExecutorState["block"] => ({ openedAtMs, transactionCount });

/** A block that is opened in the step. */
export const NEW_BLOCK = block(0, NOW);
/** More waits. */
export const BUSY = { ...FIRST_PACE, isIdle: false };
/** Some are on their way. */
export const COMING = { ...FIRST_PACE, coming: 3 };
/** After a batch that was not full, while more are on their way. */
export const PAUSED_NOW = { ...COMING, pauseEndsMs: NOW + BATCH_PAUSE_MS };
/** Nothing is asked for until the next millisecond. */
export const ASLEEP = { ...FIRST_PACE, asleepUntilMs: NOW + 1 };
/** On demand, a block gathers transactions: the one before was closed just now. */
export const GATHERING = { closedAtMs: NOW - 10, lastCommitMs: 100, executedAtMs: NOW };

/** One transition: from the first state with `from`, by `event`, to that with `changes`. */
export interface Transition {
  readonly name: string;
  readonly schedule: BlockSchedule;
  readonly from: Partial<ExecutorState>;
  readonly event: ExecutorEvent;
  readonly effects: readonly ExecutorEffect[];
  readonly changes: Partial<ExecutorState>;
}

/** A test for each transition; that the state before is left alone is tested with it. */
export function transitions(title: string, rows: readonly Transition[]): void {
  describe(title, () => {
    for (const { name, schedule, from, event, effects, changes } of rows) {
      test(name, () => {
        const settings = { schedule, batchSize: BATCH_SIZE, tickMs: TICK };
        const state = { ...FIRST_STATE, ...from };
        const before = structuredClone(state);
        const after = step(settings, state, event, NOW);
        expect(after.effects).toEqual(effects);
        expect(after.state).toEqual({ ...before, ...changes });
        expect(state).toEqual(before);
      });
    }
  });
}
