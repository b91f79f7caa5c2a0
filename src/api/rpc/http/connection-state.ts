import type { HttpTimeouts } from "./timeouts.ts";

/** `closing`: takes no more requests; `lingering`: the last answer is written, the client may read it. */
export type ConnectionPhase = "open" | "closing" | "lingering" | "closed";

/** What arrives; `rest`: of a body that nobody wants any more. */
export type Arriving = "nothing" | "head" | "body" | "rest";

/** Why nothing is read: requests that came before are answered first, or the budget of bodies is spent. */
export type PausedFor = "nothing" | "turn" | "budget";

/** The state of a connection as far as it decides what is waited for. */
export interface ConnectionView {
  readonly phase: ConnectionPhase;
  /** The client does not take what there is for it. */
  readonly isBlocked: boolean;
  /** A request is being answered. */
  readonly isAnswering: boolean;
  readonly arriving: Arriving;
  readonly pausedFor: PausedFor;
}

/** What a connection may wait for. */
export type Wait =
  "request" | "head" | "body" | "rest" | "budget" | "answer" | "taking" | "silence" | "end";

/**
 * What is done about a wait that takes too long: the request is refused with a status, then the
 * connection lingers; `finish`: it lingers at once; `close`: it ends.
 */
export type Expiry = 408 | 503 | 504 | "finish" | "close" | "terminate";

/** How long the last answer may stay unread once the client sends nothing more. */
const SILENCE_MS = 1_000;

/** For a client to send what it has begun to send, which nobody reads, until it reads. */
const LINGER_MS = 10_000;

/** Everything that is waited for, how long, and what then. */
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

/** What a connection in a state waits for: at least one thing until it is closed. */
export function waitsOf(view: ConnectionView): readonly Wait[] {
  if (view.phase === "closed") return [];
  if (view.isBlocked) return ["taking"];
  if (view.phase === "lingering") return ["silence", "end"];
  if (view.phase === "closing") return view.isAnswering ? ["answer"] : ["end"];
  const arrival = arrivalOf(view);
  if (view.isAnswering) return arrival === undefined ? ["answer"] : ["answer", arrival];
  return [arrival ?? (view.arriving === "nothing" ? "request" : "body")];
}

/** `undefined` where the client has nothing to send now. */
function arrivalOf({ arriving, pausedFor }: ConnectionView): Wait | undefined {
  if (arriving === "nothing" || pausedFor === "turn") return undefined;
  return arriving === "body" && pausedFor === "budget" ? "budget" : arriving;
}
