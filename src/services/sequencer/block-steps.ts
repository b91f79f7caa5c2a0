import type { ExecutorEffect, ExecutorSettings, ExecutorState } from "./executor-state.ts";
import { closesInMs, isByClock, MAX_UNCOMMITTED_BLOCKS } from "./schedule.ts";

/** A step while it is being made. */
export interface Draft {
  readonly settings: ExecutorSettings;
  readonly nowMs: number;
  readonly effects: ExecutorEffect[];
  state: ExecutorState;
}

/** Changes the state that the step ends with. */
export function update(draft: Draft, changes: Partial<ExecutorState>): void {
  draft.state = { ...draft.state, ...changes };
}

/**
 * Whether the committer is too far behind for anything new to be executed or sealed. While it has a block whose
 * transaction may end the process, nothing else is worked on: a crash then names that transaction alone.
 */
export function isHeldUp({ uncommitted, isSuspectUncommitted }: ExecutorState): boolean {
  return isSuspectUncommitted || uncommitted >= MAX_UNCOMMITTED_BLOCKS;
}

/** Whether the open block has something. */
export function hasTransactions({ state }: Draft): boolean {
  return state.block !== null && state.block.transactionCount > 0;
}

/**
 * Sees to it that there is a block to execute in: by the clock it is opened at once, else with its
 * first transaction.
 *
 * @returns false when the committer is too far behind
 */
export function makePlace(draft: Draft): boolean {
  const { settings, state, nowMs, effects } = draft;
  if (state.block !== null) return true;
  if (isHeldUp(state)) return false;
  if (isByClock(settings.schedule)) {
    update(draft, { block: { openedAtMs: nowMs, transactionCount: 0 } });
    effects.push({ kind: "open" });
  } else effects.push({ kind: "prepare" });
  return true;
}

/**
 * The same for what is executed in an attempt above 1: it may end the process, and gets a block of its
 * own, which can be made only while that block, and the open one, may be sealed.
 */
export function makePlaceFor(draft: Draft, attempt: number): boolean {
  if (attempt > 1) {
    if (isHeldUp(draft.state)) return false;
    if (hasTransactions(draft)) seal(draft);
  }
  return makePlace(draft);
}

/** Seals the open block if it is time, or sees to it that it is looked at again. */
export function closeIfDue(draft: Draft, full: boolean): void {
  const { settings, state, nowMs, effects } = draft;
  const { block, pace } = state;
  if (block === null) return;
  const inMs = closesInMs(settings.schedule, {
    openForMs: nowMs - block.openedAtMs,
    transactionCount: block.transactionCount,
    full,
    idle: pace.isIdle && state.messages === null,
    coming: pace.coming,
    uncommittedBlocks: state.uncommitted,
    quietForMs: nowMs - state.executedAtMs,
    sinceCloseMs: nowMs - state.closedAtMs,
    lastCommitMs: state.lastCommitMs,
  });
  if (inMs === 0) seal(draft);
  else if (settings.schedule.onDemand && nowMs + inMs < state.closeAlarmAtMs) {
    // The clock's own looks are too far apart for whoever waits for the block.
    update(draft, { closeAlarmAtMs: nowMs + inMs });
    effects.push({ kind: "setAlarm", alarm: "close", delayMs: inMs });
  }
}

/** Seals the open block, if there is one. */
export function seal(draft: Draft): void {
  const { settings, state, effects } = draft;
  if (state.block === null) return;
  const { openedAtMs } = state.block;
  effects.push({ kind: "seal", attempt: state.attempt, openedAtMs });
  update(draft, {
    block: null,
    attempt: 1,
    uncommitted: state.uncommitted + 1,
    isSuspectUncommitted: state.attempt > 1,
  });
  if (isByClock(settings.schedule)) makePlace(draft);
}
