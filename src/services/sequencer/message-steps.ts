import { type Draft, isHeldUp, makePlaceFor, update } from "./block-steps.ts";

/** How long messages wait for the answer of admission, should that be late; milliseconds. */
export const ANSWER_MS = 20;

/** Lets messages that wait go on soon: transactions that have come meanwhile go before them. */
export function resume(draft: Draft): void {
  const { state, effects } = draft;
  if (state.messages === null || state.isMessagesAlarmSet || isBusy(draft)) return;
  const delayMs = state.isTaking ? ANSWER_MS : 0;
  update(draft, { isMessagesAlarmSet: true });
  effects.push({ kind: "setAlarm", alarm: "messages", delayMs });
}

/**
 * Executes messages that wait, if it is their turn: they alternate with batches, and take no more time
 * than these while transactions wait.
 */
export function consume(draft: Draft): void {
  const { settings, state, nowMs, effects } = draft;
  const { messages, pace } = state;
  if (messages === null || isBusy(draft)) return;
  if (nowMs < state.messagesPauseEndsMs && !pace.isIdle) return;
  const { attempt } = messages;
  if (isHeldUp(state) || !makePlaceFor(draft, attempt)) return;
  update(draft, { attempt });
  effects.push({ kind: "executeMessages", max: settings.batchSize, attempt });
}

/** Whether the effect that is the last one of this step is there already. */
function isBusy({ effects }: Draft): boolean {
  const kind = effects.at(-1)?.kind;
  return kind === "executeMessage" || kind === "setTime";
}
