import type { ExecutorEffect, ExecutorSettings, ExecutorState } from "./executor-state.ts";
import { closesInMs, isByClock, MAX_UNCOMMITTED_BLOCKS } from "./schedule.ts";

/** Executor state and effects that the functions of one {@link step} build up. */
export interface Draft {
  readonly settings: ExecutorSettings;
  readonly nowMs: number;
  readonly effects: ExecutorEffect[];
  state: ExecutorState;
}

/** Applies changes to the executor state of a step under construction. */
export function update(draft: Draft, changes: Partial<ExecutorState>): void {
  draft.state = { ...draft.state, ...changes };
}

/**
 * Whether the committer lags too far behind to execute or seal anything new. While it holds a block whose
 * transaction may crash the process, nothing else is processed: a crash then implicates that transaction
 * alone.
 */
export function isHeldUp({ uncommitted, isSuspectUncommitted }: ExecutorState): boolean {
  return isSuspectUncommitted || uncommitted >= MAX_UNCOMMITTED_BLOCKS;
}

/** Whether the block that the executor has open contains transactions. */
export function hasTransactions({ state }: Draft): boolean {
  return state.block !== null && state.block.transactionCount > 0;
}

/**
 * Makes sure that there is a block to execute in. On a timed schedule it is opened immediately, otherwise
 * with its first transaction.
 *
 * @returns `false` if the committer lags too far behind
 */
export function ensureBlock(draft: Draft): boolean {
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
 * Variant of {@link ensureBlock} for a transaction in an attempt above 1. It may crash the process and gets a
 * separate block, so both the open block and that block must be allowed to be sealed.
 */
export function ensureBlockFor(draft: Draft, attempt: number): boolean {
  if (attempt > 1) {
    if (isHeldUp(draft.state)) return false;
    if (hasTransactions(draft)) seal(draft);
  }
  return ensureBlock(draft);
}

/** Seals the open block if it is due; otherwise sets an alarm for the next check. */
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
    // Ticks are too far apart for clients that wait for the block.
    update(draft, { closeAlarmAtMs: nowMs + inMs });
    effects.push({ kind: "setAlarm", alarm: "close", delayMs: inMs });
  }
}

/** Adds the effect that closes the open block, if any, so that the committer receives it. */
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
  if (isByClock(settings.schedule)) ensureBlock(draft);
}
