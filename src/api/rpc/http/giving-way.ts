import type { ConnectionView } from "./connection-state.ts";

/** A new client may be about to send its first request. */
const NEW_CLIENT_MS = 100;

/** A client that was just answered may be about to send another request. */
const ANSWERED_CLIENT_MS = 1_000;

/**
 * A connection whose body has waited this long for the budget may be closed: a client that has disconnected
 * is detected only by reading.
 */
const BUDGET_WAIT_MS = 2_000;

/**
 * A client whose address has few connections may need this long to send a request on a busy machine, while an
 * address with many opens new ones all the time.
 */
const OUTNUMBERED_CLIENT_MS = 5_000;

/** Connection that may be closed in favour of a new one, and since when. */
export interface Expendable {
  /** Last time that the client was sent something; the time it connected if it never was. */
  readonly sinceMs: number;
  /** The client was answered and may be sending its next request: close other connections first. */
  readonly mayAsk: boolean;
}

/** Inputs, besides the state of a connection, that decide whether it may be closed in favour of a new one. */
export interface ExpendableInputs {
  readonly openedMs: number;
  /** Last time that the client read or was answered. */
  readonly activeMs: number;
  /** Whether the current transfer, in either direction, is slow. */
  readonly isSlow: boolean;
  /** Time of the last change of the reason to pause reading. */
  readonly pausedSinceMs: number;
  /** The body of the request being answered has not fully arrived. */
  readonly isReading: boolean;
}

/**
 * Decides whether a connection may be closed in favour of a new one.
 *
 * @returns `undefined` while data moves, a response is owed, or the client has just connected or been
 *   answered
 */
export function expendable(
  { phase, isBlocked, isAnswering, arriving, pausedFor }: ConnectionView,
  { openedMs, activeMs, isSlow, pausedSinceMs, isReading }: ExpendableInputs,
  nowMs: number,
): Expendable | undefined {
  const isMoving = (isBlocked || (arriving === "body" && pausedFor !== "budget")) && !isSlow;
  const isHeldUp = pausedFor === "budget" && nowMs - pausedSinceMs < BUDGET_WAIT_MS;
  const isOwed = !isBlocked && ((isAnswering && !isReading) || isHeldUp);
  if (phase === "closed" || isMoving || isOwed) return undefined;
  const wasAnswered = activeMs !== openedMs;
  const mayAsk = wasAnswered && phase === "open" && arriving === "nothing";
  const isRecent = nowMs - activeMs < (wasAnswered ? ANSWERED_CLIENT_MS : NEW_CLIENT_MS);
  return isRecent ? undefined : { sinceMs: activeMs, mayAsk };
}

/** Addresses that compete for a slot, by their open connections. */
export interface Rivals {
  /** Of the address whose connection may be closed. */
  readonly own: number;
  /** Of the address that opens another one. */
  readonly newcomers: number;
}

/**
 * Whether an expendable connection is closed for a new one of another address. A recent one is not, if the
 * new one's address has more than twice as many: it can close its own.
 */
export function givesWay(
  { sinceMs }: Expendable,
  { own, newcomers }: Rivals,
  nowMs: number,
): boolean {
  return newcomers <= 2 * own || nowMs - sinceMs >= OUTNUMBERED_CLIENT_MS;
}
