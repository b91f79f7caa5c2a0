import {
  closeIfDue,
  type Draft,
  hasTransactions,
  isHeldUp,
  makePlace,
  makePlaceFor,
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
import { consume, resume } from "./message-steps.ts";
import { afterBatch, afterExecution, awakened, woken } from "./pull-pace.ts";
import { isByClock } from "./schedule.ts";

/** The state after an event, and what is to be done about it. */
export interface ExecutorStep {
  readonly state: ExecutorState;
  readonly effects: readonly ExecutorEffect[];
}

/**
 * The executor's timing: when a batch is asked for, when a block is opened, when it is sealed, and
 * what the committer's lag holds up. Pure; `nowMs` never runs backwards.
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
      return messagesHaveCome(draft, event.attempt);
    case "executed":
      return executed(draft, event);
    case "order":
      update(draft, { orders: [...state.orders, event.order] });
      return obey(draft);
    case "timeSet":
      return timeSet(draft, event.isOpenToo);
    case "sealed":
      return update(draft, { closedAtMs: nowMs });
    case "accepted":
      update(draft, { ...afterCommit(state), lastCommitMs: event.commitMs });
      look(draft);
      obey(draft);
      return resume(draft);
    case "halt":
      return update(draft, { isHalted: true, orders: [], messages: null });
    case "stop":
      return update(draft, { isStopped: true });
  }
}

/** What was under way when production was halted ends. */
function handleHalted(draft: Draft, event: ExecutorEvent): void {
  switch (event.kind) {
    case "batch":
      update(draft, { isTaking: false });
      if (event.count > 0) draft.effects.push({ kind: "giveBack" });
      break;
    case "accepted":
      return update(draft, afterCommit(draft.state));
    case "stop":
      return update(draft, { isStopped: true });
    default:
      return;
  }
}

/** A suspect block is the newest one that was sealed: it is committed once none is left. */
function afterCommit({ uncommitted, isSuspectUncommitted }: ExecutorState): Partial<ExecutorState> {
  const left = uncommitted - 1;
  return { uncommitted: left, isSuspectUncommitted: isSuspectUncommitted && left > 0 };
}

function ring(draft: Draft, alarm: ExecutorAlarm): void {
  switch (alarm) {
    case "tick":
      look(draft);
      draft.effects.push({ kind: "setAlarm", alarm, delayMs: nextLookInMs(draft) });
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
function nextLookInMs({ settings, state, nowMs }: Draft): number {
  const { schedule, tickMs } = settings;
  const isResting =
    schedule.onDemand && state.block === null && state.messages === null && state.uncommitted === 0;
  return isResting ? Math.max(tickMs, state.pace.asleepUntilMs - nowMs) : tickMs;
}

/** Does what time or the committer has made due. */
function look(draft: Draft): void {
  closeIfDue(draft, false);
  if (isByClock(draft.settings.schedule)) makePlace(draft);
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
  if (!makePlaceFor(draft, attempt)) {
    effects.push({ kind: "giveBack" });
    update(draft, { pace: awakened(pace) });
    return;
  }
  // The next batch is prepared while this one is executed, if there is more.
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
    // Transactions that wait get as much time as the messages had.
    const messagesPauseEndsMs = nowMs + (nowMs - event.startedAtMs);
    update(draft, { messages: event.messages, messagesPauseEndsMs });
  }
  if (state.attempt > 1 && hasTransactions(draft)) seal(draft);
  else closeIfDue(draft, event.full);
  if (event.messages !== undefined) return messagesWereExecuted(draft);
  update(draft, { pace: afterExecution(draft.state.pace, event.gaveBack, nowMs) });
  if (draft.state.pace.isIdle) take(draft);
  if (event.order === "done") update(draft, { orders: draft.state.orders.slice(1) });
  // A message or a write that does not fit waits for the end of its block.
  if (event.order !== "again" || !hasTransactions(draft)) obey(draft);
  if (event.order === undefined) consume(draft);
  else resume(draft);
}

function messagesHaveCome(draft: Draft, attempt: number): void {
  update(draft, { messages: { attempt } });
  resume(draft);
}

/** Messages have had their turn. */
function messagesWereExecuted(draft: Draft): void {
  if (draft.state.pace.isIdle) take(draft);
  obey(draft);
  resume(draft);
}

/** Does what was ordered, as far as the committer's lag lets it. */
function obey(draft: Draft): void {
  for (;;) {
    const { state, nowMs, effects } = draft;
    const [order, ...rest] = state.orders;
    if (order === undefined) return;
    if (order === "message") {
      if (makePlace(draft)) effects.push({ kind: "executeMessage" });
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

/** The time is set; the block that was asked for with it is the one that has it. */
function timeSet(draft: Draft, isOpenToo: boolean): void {
  const [order, ...rest] = draft.state.orders;
  const block = isOpenToo ? "block" : "freshBlock";
  update(draft, { orders: order === "timedBlock" ? [block, ...rest] : rest });
  obey(draft);
}
