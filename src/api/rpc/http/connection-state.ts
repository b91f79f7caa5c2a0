import type { HttpTimeouts } from "./timeouts.ts";

/**
 * Phase of a connection's life. `closing`: accepts no more requests. `lingering`: the last response
 * is written and the client may still read it.
 */
export type ConnectionPhase = "open" | "closing" | "lingering" | "closed";

/**
 * Part of a request that is arriving on a connection; `rest`: the remainder of a discarded body.
 */
export type Arriving = "nothing" | "head" | "body" | "rest";

/**
 * Reason why reading from a connection is paused: earlier requests are answered first (`turn`), or
 * the body budget is spent (`budget`).
 */
export type PausedFor = "nothing" | "turn" | "budget";

/** State of a connection that determines which waits apply to it. */
export interface ConnectionView {
  readonly phase: ConnectionPhase;
  /** The client does not read the output that is ready for it. */
  readonly isBlocked: boolean;
  readonly isAnswering: boolean;
  readonly arriving: Arriving;
  readonly pausedFor: PausedFor;
}

/** Conditions that a connection may wait for. */
export type Wait =
  "request" | "head" | "body" | "rest" | "budget" | "answer" | "taking" | "silence" | "end";

/**
 * Action on an expired wait. A status refuses the request, then the connection lingers. `finish` lingers
 * immediately; `close` ends the connection; `terminate` drops it.
 */
export type Expiry = 408 | 503 | 504 | "finish" | "close" | "terminate";

/** Time that the last response may stay unread after the client stops sending. */
const SILENCE_MS = 1_000;

/** Time for a client to finish sending ignored bytes before it reads the last response. */
const LINGER_MS = 10_000;

/** Limit and action on expiry of every wait that a connection can be in. */
export const WAITS: Readonly<
  Record<Wait, { readonly limitMs: (timeouts: HttpTimeouts) => number; readonly expiry: Expiry }>
> = {
  request: { limitMs: ({ idleMs }) => idleMs, expiry: "close" },
  head: { limitMs: ({ headersMs }) => headersMs, expiry: 408 },
  body: { limitMs: ({ requestMs }) => requestMs, expiry: 408 },
  rest: { limitMs: ({ headersMs }) => headersMs, expiry: "finish" },
  budget: { limitMs: ({ requestMs }) => requestMs, expiry: 503 },
  answer: { limitMs: ({ answerMs }) => answerMs, expiry: 504 },
  taking: { limitMs: ({ idleMs }) => idleMs, expiry: "terminate" },
  silence: { limitMs: () => SILENCE_MS, expiry: "terminate" },
  end: { limitMs: () => LINGER_MS, expiry: "terminate" },
};

/** Waits that apply to a connection in a given state: at least one until it is closed. */
export function waitsOf(view: ConnectionView): readonly Wait[] {
  if (view.phase === "closed") return [];
  if (view.isBlocked) return ["taking"];
  if (view.phase === "lingering") return ["silence", "end"];
  if (view.phase === "closing") return view.isAnswering ? ["answer"] : ["end"];
  const arrival = arrivalOf(view);
  if (view.isAnswering) return arrival === undefined ? ["answer"] : ["answer", arrival];
  return [arrival ?? (view.arriving === "nothing" ? "request" : "body")];
}

/** `undefined` if the client has nothing to send now. */
function arrivalOf({ arriving, pausedFor }: ConnectionView): Wait | undefined {
  if (arriving === "nothing" || pausedFor === "turn") return undefined;
  return arriving === "body" && pausedFor === "budget" ? "budget" : arriving;
}
