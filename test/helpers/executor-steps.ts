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

/** Time of every step, in milliseconds. */
export const NOW = 10_000;
/** Block time of every schedule, in milliseconds. */
export const BLOCK_TIME = 1_000;
/** Maximum transactions of a batch. */
export const BATCH_SIZE = 64;
/** Interval of clock checks, in milliseconds. */
export const TICK = 20;

/** Schedule that makes blocks at the block time, also empty ones. */
export const BY_CLOCK = { blockTimeMs: BLOCK_TIME, onDemand: false, noEmptyBlocks: false };
/** Schedule that makes a block as soon as there are transactions. */
export const ON_DEMAND = { blockTimeMs: BLOCK_TIME, onDemand: true, noEmptyBlocks: true };
/** Schedule that makes blocks at the block time if there are transactions. */
export const NO_EMPTY = { blockTimeMs: BLOCK_TIME, onDemand: false, noEmptyBlocks: true };

/** Executor effect: request a batch of at most {@link BATCH_SIZE} transactions from admission. */
export const TAKE: ExecutorEffect = { kind: "take", max: BATCH_SIZE };
/** Executor effect: open a block. */
export const OPEN: ExecutorEffect = { kind: "open" };
/** Executor effect: let the next block open with its first included transaction. */
export const PREPARE: ExecutorEffect = { kind: "prepare" };

/** Executor event: the committer has finished a block in 10 ms. */
export const ACCEPTED: ExecutorEvent = { kind: "accepted", commitMs: 10 };

/** Executor effect: execute the current batch. */
export const execute = (attempt = 1): ExecutorEffect => ({ kind: "execute", attempt });

/** Executor effect: seal the open block. */
export const seal = (openedAtMs: number, attempt = 1): ExecutorEffect => ({
  kind: "seal",
  attempt,
  openedAtMs,
});

/** Executor effect: set the alarm for the time when the open block is due, in `delayMs`. */
export const closeAlarm = (delayMs: number): ExecutorEffect => ({
  kind: "setAlarm",
  alarm: "close",
  delayMs,
});

/** Executor effect: set the alarm for the next request of a batch, in `delayMs`. */
export const pauseAlarm = (delayMs = BATCH_PAUSE_MS): ExecutorEffect => ({
  kind: "setAlarm",
  alarm: "pause",
  delayMs,
});

/**
 * Executor event: a batch of `count` transactions arrives while `coming` more are in validation.
 */
export const batch = (count: number, attempt = 1, coming = 0): ExecutorEvent => ({
  kind: "batch",
  count,
  coming,
  attempt,
});

/**
 * Executor event: the current batch was executed in 5 ms; the open block has `transactionCount`
 * transactions.
 */
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

/** Creates the state of an open block. */
export const block = (
  transactionCount: number,
  openedAtMs = NOW - 100,
): ExecutorState["block"] => ({ openedAtMs, transactionCount });

/** State of a block that was opened in the tested step. */
export const NEW_BLOCK = block(0, NOW);
/** Pull pace when more transactions are queued. */
export const BUSY = { ...FIRST_PACE, isIdle: false };
/** Pull pace when some transactions are still in validation. */
export const COMING = { ...FIRST_PACE, coming: 3 };
/** Pull pace after a partial batch while more transactions are in validation. */
export const PAUSED_NOW = { ...COMING, pauseEndsMs: NOW + BATCH_PAUSE_MS };
/** Pull pace that makes no request before the next millisecond. */
export const ASLEEP = { ...FIRST_PACE, asleepUntilMs: NOW + 1 };
/** Executor state right after a block closed, in which an on-demand block gathers transactions. */
export const GATHERING = { closedAtMs: NOW - 10, lastCommitMs: 100, executedAtMs: NOW };

/**
 * Test case of the executor's step: from the first state with `from`, by `event`, to the state with
 * `changes` and these effects.
 */
export interface Transition {
  readonly name: string;
  readonly schedule: BlockSchedule;
  readonly from: Partial<ExecutorState>;
  readonly event: ExecutorEvent;
  readonly effects: readonly ExecutorEffect[];
  readonly changes: Partial<ExecutorState>;
}

/** Defines a test for each transition; each also checks that the previous state is not modified. */
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
