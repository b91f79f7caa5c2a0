import {
  closeIfDue,
  type Draft,
  hasTransactions,
  isHeldUp,
  ensureBlock,
  ensureBlockFor,
  seal,
  update,
} from "./block-steps.ts";
import type {
  ExecutorAlarm,
  ExecutorEffect,
  ExecutorEvent,
  ExecutorSettings,
  ExecutorState,
} from "./executor-state.ts";
import { consume, POSTPONED_MS, resume } from "./message-steps.ts";
import { afterBatch, afterExecution, awakened, woken } from "./pull-pace.ts";
import { isByClock } from "./schedule.ts";

/** State after an event, and the resulting actions. */
export interface ExecutorStep {
  readonly state: ExecutorState;
  readonly effects: readonly ExecutorEffect[];
}

/**
 * Timing of the executor: decides when to request a batch, open a block and seal it, and what the committer's
 * lag holds up. Pure function; `nowMs` never runs backwards.
 */
export function step(
  settings: ExecutorSettings,
  state: ExecutorState,
  event: ExecutorEvent,
  nowMs: number,
): ExecutorStep {
  if (state.isStopped) return { state, effects: [] };
  const draft: Draft = { settings, nowMs, state, effects: [] };
  if (state.isHalted) handleHalted(draft, event);
  else handle(draft, event);
  return { state: draft.state, effects: draft.effects };
}

function handle(draft: Draft, event: ExecutorEvent): void {
  const { state, nowMs } = draft;
  switch (event.kind) {
    case "alarm":
      return ring(draft, event.alarm);
    case "wake":
      update(draft, { pace: woken(state.pace, event.coming) });
      return take(draft);
    case "batch":
      return batch(draft, event);
    case "messages":
      return messagesArrived(draft, event.attempt);
    case "executed":
      return executed(draft, event);
    case "order":
      update(draft, { orders: [...state.orders, event.order] });
      return runOrders(draft);
    case "timeSet":
      return timeSet(draft, event.isOpenToo);
    case "sealed":
      return update(draft, { closedAtMs: nowMs });
    case "accepted":
      update(draft, { ...afterCommit(state), lastCommitMs: event.commitMs });
      runDue(draft);
      runOrders(draft);
      return resume(draft);
    case "halt":
      return update(draft, { isHalted: true, orders: [], messages: null });
    case "stop":
      return update(draft, { isStopped: true });
  }
}

/** Completes what was in progress when production was halted. */
function handleHalted(draft: Draft, event: ExecutorEvent): void {
  switch (event.kind) {
    case "batch":
      update(draft, { isTaking: false });
      if (event.count > 0) draft.effects.push({ kind: "requeue" });
      break;
    case "accepted":
      return update(draft, afterCommit(draft.state));
    case "stop":
      return update(draft, { isStopped: true });
    default:
      return;
  }
}

/** The newest sealed block is the suspect one, so it is committed once no uncommitted block is left. */
function afterCommit({ uncommitted, isSuspectUncommitted }: ExecutorState): Partial<ExecutorState> {
  const left = uncommitted - 1;
  return { uncommitted: left, isSuspectUncommitted: isSuspectUncommitted && left > 0 };
}

function ring(draft: Draft, alarm: ExecutorAlarm): void {
  switch (alarm) {
    case "tick":
      runDue(draft);
      draft.effects.push({ kind: "setAlarm", alarm, delayMs: nextTickInMs(draft) });
      resume(draft);
      break;
    case "pause":
      update(draft, { isPauseAlarmSet: false });
      take(draft);
      break;
    case "close":
      update(draft, { closeAlarmAtMs: Number.POSITIVE_INFINITY });
      closeIfDue(draft, false);
      break;
    case "messages":
      update(draft, { isMessagesAlarmSet: false });
      consume(draft);
      break;
  }
}

/**
 * Milliseconds until the next step. Without an open block, a chain that makes blocks on demand only has to poll
 * admission: everything else arrives as an event.
 */
function nextTickInMs({ settings, state, nowMs }: Draft): number {
  const { schedule, tickMs } = settings;
  const isResting =
    schedule.onDemand && state.block === null && state.messages === null && state.uncommitted === 0;
  return isResting ? Math.max(tickMs, state.pace.asleepUntilMs - nowMs) : tickMs;
}

/** Runs what time or the committer has made due. */
function runDue(draft: Draft): void {
  closeIfDue(draft, false);
  if (isByClock(draft.settings.schedule)) ensureBlock(draft);
  take(draft);
}

function take(draft: Draft): void {
  const { settings, state, nowMs, effects } = draft;
  const { pace } = state;
  if (state.isTaking || isHeldUp(state)) return;
  if (nowMs < pace.asleepUntilMs) return;
  const delayMs = pace.pauseEndsMs - nowMs;
  if (delayMs <= 0) {
    update(draft, { isTaking: true });
    effects.push({ kind: "take", max: settings.batchSize });
  } else if (!state.isPauseAlarmSet) {
    update(draft, { isPauseAlarmSet: true });
    effects.push({ kind: "setAlarm", alarm: "pause", delayMs });
  }
}

function batch(draft: Draft, event: Extract<ExecutorEvent, { kind: "batch" }>): void {
  const { settings, nowMs, effects } = draft;
  const { count, attempt } = event;
  const pace = afterBatch(draft.state.pace, event, settings.batchSize, nowMs);
  update(draft, { isTaking: false, pace });
  if (count === 0) {
    closeIfDue(draft, false);
    return consume(draft);
  }
  if (!ensureBlockFor(draft, attempt)) {
    effects.push({ kind: "requeue" });
    update(draft, { pace: awakened(pace) });
    return;
  }
  // If there is more, the next batch is prepared while this one is executed.
  if (!pace.isIdle) take(draft);
  update(draft, { attempt });
  effects.push({ kind: "execute", attempt });
}

function executed(draft: Draft, event: Extract<ExecutorEvent, { kind: "executed" }>): void {
  const { state, nowMs } = draft;
  const openedAtMs = state.block?.openedAtMs ?? event.startedAtMs;
  const { isOpen, transactionCount } = event;
  update(draft, {
    block: isOpen ? { openedAtMs, transactionCount } : null,
    pace: event.gaveBack ? awakened(state.pace) : state.pace,
    executedAtMs: nowMs,
  });
  if (event.messages !== undefined) {
    // Queued transactions get as much time as the messages took.
    const messagesPauseEndsMs = nowMs + (nowMs - event.startedAtMs);
    update(draft, { messages: event.messages, messagesPauseEndsMs });
    if (event.isPostponed === true) update(draft, { messagesAsleepUntilMs: nowMs + POSTPONED_MS });
  }
  if (state.attempt > 1 && hasTransactions(draft)) seal(draft);
  else closeIfDue(draft, event.full);
  if (event.messages !== undefined) return afterMessages(draft);
  update(draft, { pace: afterExecution(draft.state.pace, event.gaveBack, nowMs) });
  if (draft.state.pace.isIdle) take(draft);
  if (event.order === "done") update(draft, { orders: draft.state.orders.slice(1) });
  // A message or a write that does not fit waits until its block is sealed.
  if (event.order !== "again" || !hasTransactions(draft)) runOrders(draft);
  if (event.order === undefined) consume(draft);
  else resume(draft);
}

function messagesArrived(draft: Draft, attempt: number): void {
  update(draft, { messages: { attempt } });
  resume(draft);
}

function afterMessages(draft: Draft): void {
  if (draft.state.pace.isIdle) take(draft);
  runOrders(draft);
  resume(draft);
}

/** Runs queued orders, unless the committer's lag holds them up. */
function runOrders(draft: Draft): void {
  for (;;) {
    const { state, nowMs, effects } = draft;
    const [order, ...rest] = state.orders;
    if (order === undefined) return;
    if (order === "message") {
      if (ensureBlock(draft)) effects.push({ kind: "executeMessage" });
      return;
    }
    if (order === "time" || order === "timedBlock") {
      effects.push({ kind: "setTime" });
      return;
    }
    if (isHeldUp(state)) return;
    if (order === "freshBlock" && state.block !== null) {
      seal(draft);
      update(draft, { orders: ["block", ...rest] });
      continue;
    }
    if (state.block === null) {
      update(draft, { block: { openedAtMs: nowMs, transactionCount: 0 } });
      effects.push({ kind: "open" });
    }
    seal(draft);
    update(draft, { orders: rest });
    effects.push({ kind: "orderDone" });
  }
}

/** Continues after the time was set. `timedBlock` then seals the block that has that time. */
function timeSet(draft: Draft, isOpenToo: boolean): void {
  const [order, ...rest] = draft.state.orders;
  const block = isOpenToo ? "block" : "freshBlock";
  update(draft, { orders: order === "timedBlock" ? [block, ...rest] : rest });
  runOrders(draft);
}
