import type { Timer } from "#base/primitives/index.ts";
import { STARTING_REPLY } from "./listener.ts";
import type { HttpHandler, HttpReply, HttpRequest } from "./message.ts";
import { pathOf } from "./paths.ts";

/** Limits of {@link HeldRequests}. */
export interface HoldLimits {
  readonly maxRequests: number;
  /** Longest hold of one request, in milliseconds. */
  readonly maxMs: number;
}

/**
 * Default limits of requests held while the node starts, which takes seconds. A quarter of the
 * default connections may wait for it; the rest stays free for probes.
 */
export const HOLD_LIMITS: HoldLimits = { maxRequests: 256, maxMs: 30_000 };

/** Paths of probes, for which "not ready" is the answer. */
const PROBES: ReadonlySet<string> = new Set(["/health", "/ready"]);

interface Held {
  readonly request: HttpRequest;
  readonly answer: (reply: HttpReply | Promise<HttpReply>) => void;
  readonly cancelTimeout: () => void;
}

/**
 * Holds requests that arrive before the node is ready, so that clients need not retry. Their bodies count
 * against the listener's body budget. Probes, and requests above the limits, get 503.
 */
export class HeldRequests {
  readonly #limits: HoldLimits;
  readonly #timer: Timer;
  readonly #held = new Set<Held>();

  constructor(limits: HoldLimits, timer: Timer) {
    this.#limits = limits;
    this.#timer = timer;
  }

  /** Handles requests until {@link release}. */
  readonly handle: HttpHandler = (request) => {
    this.#forgetGone();
    const { maxRequests, maxMs } = this.#limits;
    if (PROBES.has(pathOf(request.url)) || this.#held.size >= maxRequests) return STARTING_REPLY;
    return new Promise((answer) => {
      const cancelTimeout = this.#timer.after(maxMs, () => {
        this.#held.delete(held);
        answer(STARTING_REPLY);
      });
      const held: Held = { request, answer, cancelTimeout };
      this.#held.add(held);
    });
  };

  /** Passes held requests to the node's own handler, in order of arrival. */
  release(handler: HttpHandler): void {
    this.#forgetGone();
    for (const { request, answer, cancelTimeout } of this.#held) {
      cancelTimeout();
      answer(handler(request));
    }
    this.#held.clear();
  }

  /** Responds 503 to held requests: the node stops before it is ready. */
  stop(): void {
    this.release(() => STARTING_REPLY);
  }

  /** Drops requests whose client has disconnected: they are not executed, and free their places. */
  #forgetGone(): void {
    for (const held of this.#held) {
      if (!held.request.caller.isDisconnected) continue;
      held.cancelTimeout();
      held.answer(STARTING_REPLY);
      this.#held.delete(held);
    }
  }
}
