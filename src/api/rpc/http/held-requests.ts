import type { Timer } from "#base/primitives/index.ts";
import { STARTING_REPLY } from "./listener.ts";
import type { HttpHandler, HttpReply, HttpRequest } from "./message.ts";
import { pathOf } from "./paths.ts";

/** Bounds of {@link HeldRequests}. */
export interface HoldLimits {
  /** Requests that are held at a time. */
  readonly maxRequests: number;
  /** Longest time that one is held, milliseconds. */
  readonly maxMs: number;
}

/** A start takes seconds; who holds more connections open leaves some to others. */
export const HOLD_LIMITS: HoldLimits = { maxRequests: 256, maxMs: 30_000 };

/** Paths that say how the node is: "not ready" is an answer. */
const PROBES: ReadonlySet<string> = new Set(["/health", "/ready"]);

interface Held {
  readonly request: HttpRequest;
  readonly answer: (reply: HttpReply | Promise<HttpReply>) => void;
  readonly cancelTimeout: () => void;
}

/**
 * Holds requests of the time before a node can answer, so that clients need not retry. Their bodies count
 * against the listener's budget meanwhile. One beyond the limits, and a probe, is answered 503.
 */
export class HeldRequests {
  readonly #limits: HoldLimits;
  readonly #timer: Timer;
  readonly #held = new Set<Held>();

  constructor(limits: HoldLimits, timer: Timer) {
    this.#limits = limits;
    this.#timer = timer;
  }

  /** Answers requests until there is another handler. */
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

  /** Hands what is held to the handler that answers from now on, in the order of arrival. */
  release(handler: HttpHandler): void {
    this.#forgetGone();
    for (const { request, answer, cancelTimeout } of this.#held) {
      cancelTimeout();
      answer(handler(request));
    }
    this.#held.clear();
  }

  /** Nothing is held any longer: the node stops before it could answer. */
  stop(): void {
    this.release(() => STARTING_REPLY);
  }

  /** What nobody waits for is not executed, and takes no place. */
  #forgetGone(): void {
    for (const held of this.#held) {
      if (!held.request.caller.hasLeft) continue;
      held.cancelTimeout();
      held.answer(STARTING_REPLY);
      this.#held.delete(held);
    }
  }
}
