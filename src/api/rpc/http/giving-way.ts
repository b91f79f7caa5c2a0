import type { ConnectionView } from "./connection-state.ts";

/** Who has just connected may be about to ask. */
const UNASKED_MS = 100;

/** Who was answered may be about to ask again. */
const ASKED_MS = 1_000;

/** Whose body has waited so long for the budget gives way: a client that is gone shows it only when read. */
const BUDGET_MS = 2_000;

/** That, and since when, a connection may be closed for a new one. */
export interface Expendable {
  /** The last time that the client was given something, or when it connected. */
  readonly sinceMs: number;
  /** It was answered and may be asking again just now: it comes behind others. */
  readonly mayAsk: boolean;
}

/** What decides, beside its state, whether a connection gives way to a new one. */
export interface GivingWay {
  readonly openedMs: number;
  /** The last time that the client read or was answered. */
  readonly activeMs: number;
  /** Whether what goes to and fro goes slowly. */
  readonly isSlow: boolean;
  /** Since when the reason why nothing is read has been the same. */
  readonly pausedSinceMs: number;
  /** Of the request that is being answered, the body is still to come. */
  readonly isReading: boolean;
}

/**
 * Whether the client was given nothing for a while, and is owed nothing.
 *
 * @returns `undefined` where something is done for it, or it has just come or been answered
 */
export function expendable(
  { phase, isBlocked, isAnswering, arriving, pausedFor }: ConnectionView,
  { openedMs, activeMs, isSlow, pausedSinceMs, isReading }: GivingWay,
  nowMs: number,
): Expendable | undefined {
  const isMoving = (isBlocked || (arriving === "body" && pausedFor !== "budget")) && !isSlow;
  const isHeldUp = pausedFor === "budget" && nowMs - pausedSinceMs < BUDGET_MS;
  const isOwed = !isBlocked && ((isAnswering && !isReading) || isHeldUp);
  if (phase === "closed" || isMoving || isOwed) return undefined;
  const wasAnswered = activeMs !== openedMs;
  const mayAsk = wasAnswered && phase === "open" && arriving === "nothing";
  const isRecent = nowMs - activeMs < (wasAnswered ? ASKED_MS : UNASKED_MS);
  return isRecent ? undefined : { sinceMs: activeMs, mayAsk };
}
