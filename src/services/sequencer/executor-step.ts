import type {
  ExecutorAlarm,
  ExecutorEffect,
  ExecutorEvent,
  ExecutorSettings,
  ExecutorState,
} from "./executor-state.ts";
import { afterBatch, afterExecution, awakened } from "./pull-pace.ts";
import { isByClock, MAX_UNCOMMITTED_BLOCKS, QUIET_MS, shouldClose } from "./schedule.ts";

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
  handle(draft, event);
  return { state: draft.state, effects: draft.effects };
}

/** A step while it is being made. */
interface Draft {
  readonly settings: ExecutorSettings;
  readonly nowMs: number;
  readonly effects: ExecutorEffect[];
  state: ExecutorState;
}

function update(draft: Draft, changes: Partial<ExecutorState>): void {
  draft.state = { ...draft.state, ...changes };
}

function handle(draft: Draft, event: ExecutorEvent): void {
  const { state, nowMs } = draft;
  switch (event.kind) {
    case "alarm":
      return ring(draft, event.alarm);
    case "wake":
      update(draft, { pace: awakened(state.pace) });
      return take(draft);
    case "batch":
      return batch(draft, event.count, event.attempt);
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
      update(draft, { uncommitted: state.uncommitted - 1, lastCommitMs: event.commitMs });
      look(draft);
      return obey(draft);
    case "stop":
      return update(draft, { isStopped: true });
  }
}

function ring(draft: Draft, alarm: ExecutorAlarm): void {
  switch (alarm) {
    case "tick":
      look(draft);
      draft.effects.push({ kind: "setAlarm", alarm, delayMs: draft.settings.tickMs });
      break;
    case "pause":
      update(draft, { isPauseAlarmSet: false });
      take(draft);
      break;
    case "quiet":
      update(draft, { isQuietAlarmSet: false });
      closeIfDue(draft, false);
      break;
  }
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
  if (state.isTaking || state.uncommitted >= MAX_UNCOMMITTED_BLOCKS) return;
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

function batch(draft: Draft, count: number, attempt: number): void {
  const { settings, nowMs, effects } = draft;
  const pace = afterBatch(draft.state.pace, count, settings.batchSize, nowMs);
  update(draft, { isTaking: false, pace });
  if (count === 0) return closeIfDue(draft, false);
  // A transaction that may end the process comes alone, in a block of its own: it can come only while
  // that block, and the open one, may be sealed.
  const isQuarantined = attempt > 1;
  const isHeldUp = isQuarantined && draft.state.uncommitted >= MAX_UNCOMMITTED_BLOCKS;
  if (isQuarantined && !isHeldUp && hasTransactions(draft)) seal(draft);
  if (isHeldUp || !makePlace(draft)) {
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
  if (state.attempt > 1 && hasTransactions(draft)) seal(draft);
  else closeIfDue(draft, event.full);
  update(draft, { pace: afterExecution(draft.state.pace, nowMs) });
  if (draft.state.pace.isIdle) take(draft);
  if (event.order === "done") update(draft, { orders: draft.state.orders.slice(1) });
  // A message or a write that does not fit waits for the end of its block.
  if (event.order !== "again" || !hasTransactions(draft)) obey(draft);
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
    if (state.uncommitted >= MAX_UNCOMMITTED_BLOCKS) return;
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

function hasTransactions({ state }: Draft): boolean {
  return state.block !== null && state.block.transactionCount > 0;
}

/**
 * Sees to it that there is a block to execute in: by the clock it is opened at once, else with its
 * first transaction.
 *
 * @returns false when the committer is too far behind
 */
function makePlace(draft: Draft): boolean {
  const { settings, state, nowMs, effects } = draft;
  if (state.block !== null) return true;
  if (state.uncommitted >= MAX_UNCOMMITTED_BLOCKS) return false;
  if (isByClock(settings.schedule)) {
    update(draft, { block: { openedAtMs: nowMs, transactionCount: 0 } });
    effects.push({ kind: "open" });
  } else effects.push({ kind: "prepare" });
  return true;
}

function closeIfDue(draft: Draft, full: boolean): void {
  const { settings, state, nowMs, effects } = draft;
  const { block, pace } = state;
  if (block === null) return;
  const isDue = shouldClose(settings.schedule, {
    openForMs: nowMs - block.openedAtMs,
    transactionCount: block.transactionCount,
    full,
    idle: pace.isIdle,
    uncommittedBlocks: state.uncommitted,
    quietForMs: nowMs - state.executedAtMs,
    sinceCloseMs: nowMs - state.closedAtMs,
    lastCommitMs: state.lastCommitMs,
  });
  if (isDue) seal(draft);
  else if (settings.schedule.onDemand && pace.isIdle && !state.isQuietAlarmSet) {
    // The clock's own looks are too far apart for a transaction that waits alone.
    update(draft, { isQuietAlarmSet: true });
    effects.push({ kind: "setAlarm", alarm: "quiet", delayMs: QUIET_MS });
  }
}

function seal(draft: Draft): void {
  const { settings, state, effects } = draft;
  if (state.block === null) return;
  const { openedAtMs } = state.block;
  effects.push({ kind: "seal", attempt: state.attempt, openedAtMs });
  update(draft, { block: null, attempt: 1, uncommitted: state.uncommitted + 1 });
  if (isByClock(settings.schedule)) makePlace(draft);
}
