import type { Arrival } from "./arrival.ts";
import { type ConnectionView, type Expiry, type Wait, WAITS, waitsOf } from "./connection-state.ts";
import type { CurrentAnswer } from "./current-answer.ts";
import type { Ending } from "./ending.ts";
import { type Expendable, expendable } from "./giving-way.ts";
import type { ReadGate } from "./read-gate.ts";
import type { HttpTimeouts } from "./timeouts.ts";
import type { UnsentShare } from "./unsent-budget.ts";

/** Parts of a connection that record when their waits began. */
export interface TimedParts {
  readonly arrival: Arrival;
  readonly current: CurrentAnswer;
  readonly gate: ReadGate;
  readonly ending: Ending;
  readonly unsent: UnsentShare;
}

/** Wait times of a connection, and the actions that follow from them. */
export class ConnectionTimes {
  readonly #parts: TimedParts;
  readonly #openedMs = performance.now();
  #activeMs = this.#openedMs;

  constructor(parts: TimedParts) {
    this.#parts = parts;
  }

  /** Records that the client read something, or was answered. */
  touch(): void {
    this.#activeMs = performance.now();
  }

  /** Action for a client that is too slow, or for the first wait that exceeds its limit. */
  expiry(view: ConnectionView, timeouts: HttpTimeouts, nowMs: number): Expiry | undefined {
    const { unsent, current } = this.#parts;
    const { idleMs } = timeouts;
    if (unsent.isSlow(nowMs, idleMs) || current.isSlow(nowMs, idleMs)) return "terminate";
    const late = waitsOf(view).find(
      (wait) => this.#waitedMs(wait, nowMs) > WAITS[wait].limitMs(timeouts),
    );
    return late === undefined ? undefined : WAITS[late].expiry;
  }

  /** Whether the connection may be closed in favour of a new one: see {@link expendable}. */
  expendable(view: ConnectionView, nowMs: number): Expendable | undefined {
    const { arrival, current, gate, unsent } = this.#parts;
    const isSlow = view.isBlocked ? unsent.isSlow(nowMs, 0) : arrival.isSlow(nowMs);
    // A stream is sent whatever happens to the body of its request.
    const isReading = !current.isStreaming && current.request === arrival.request;
    const [openedMs, activeMs] = [this.#openedMs, this.#activeMs];
    const { sinceMs: pausedSinceMs } = gate;
    return expendable(view, { openedMs, activeMs, pausedSinceMs, isSlow, isReading }, nowMs);
  }

  #waitedMs(wait: Wait, nowMs: number): number {
    const { arrival, current, gate, ending } = this.#parts;
    if (wait === "head" || wait === "body") return arrival.elapsedMs(nowMs);
    if (wait === "silence") return ending.silentMs(nowMs);
    if (wait === "end") return ending.elapsedMs(nowMs);
    if (wait === "budget") return nowMs - gate.sinceMs;
    return wait === "answer" ? current.waitedMs(nowMs) : nowMs - this.#activeMs;
  }
}
