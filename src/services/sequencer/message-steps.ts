import { type Draft, ensureBlockFor, isHeldUp, update } from "./block-steps.ts";

/** Maximum time that messages wait for a response of admission; milliseconds. */
export const ANSWER_MS = 20;

/** Time until a message that the fork's origin holds up is executed again; milliseconds. */
export const POSTPONED_MS = 1_000;

/** Schedules the execution of queued messages. Transactions that have arrived meanwhile go first. */
export function resume(draft: Draft): void {
  const { state, effects } = draft;
  if (state.messages === null || state.isMessagesAlarmSet || isBusy(draft)) return;
  const { messagesAsleepUntilMs } = state;
  const delayMs = Math.max(state.isTaking ? ANSWER_MS : 0, messagesAsleepUntilMs - draft.nowMs);
  update(draft, { isMessagesAlarmSet: true });
  effects.push({ kind: "setAlarm", alarm: "messages", delayMs });
}

/**
 * Executes queued messages if it is their turn. They alternate with batches, and take no more time than these
 * while transactions are queued.
 */
export function consume(draft: Draft): void {
  const { settings, state, nowMs, effects } = draft;
  const { messages, pace } = state;
  if (messages === null || isBusy(draft)) return;
  if (nowMs < state.messagesAsleepUntilMs) return;
  if (nowMs < state.messagesPauseEndsMs && !pace.isIdle) return;
  const { attempt } = messages;
  if (isHeldUp(state) || !ensureBlockFor(draft, attempt)) return;
  update(draft, { attempt });
  effects.push({ kind: "executeMessages", max: settings.batchSize, attempt });
}

/** Whether this step's final effect has already been applied. */
function isBusy({ effects }: Draft): boolean {
  const kind = effects.at(-1)?.kind;
  return kind === "executeMessage" || kind === "setTime";
}
