/** Dependencies of {@link Patience}. */
export interface PatienceDeps {
  /** Time to wait for a value, in milliseconds. */
  readonly fullMs: number;
  /** Time to wait shortly after a failure, in milliseconds: enough for a value that the cache has. */
  readonly shortMs: number;
  /** Time after the first failure until the next full wait, in milliseconds; doubled after each further one. */
  readonly pauseMs: number;
  /** Maximum time until the next full wait, in milliseconds. */
  readonly maxPauseMs: number;
  /** A monotonic clock, in milliseconds. */
  readonly nowMs: () => number;
}

/**
 * Limits how long a thread waits for a value of the origin. After a wait without a value, the next
 * ones are short for a while, so that a lost origin does not delay work for which the cache has the
 * values.
 */
export class Patience {
  readonly #deps: PatienceDeps;
  #pauseEndsMs = Number.NEGATIVE_INFINITY;
  /** Full waits in vain since a value arrived that the cache did not have. */
  #failures = 0;

  constructor(deps: PatienceDeps) {
    this.#deps = deps;
  }

  /** Time to wait for the next value, in milliseconds. */
  limitMs(): number {
    const { fullMs, shortMs, nowMs } = this.#deps;
    return nowMs() < this.#pauseEndsMs ? Math.min(shortMs, fullMs) : fullMs;
  }

  /** Records that a value did not arrive within `limitMs`, or that the origin did not respond. */
  failed(): void {
    const { pauseMs, maxPauseMs, nowMs } = this.#deps;
    // Short waits in vain do not prolong the pause: the origin may respond again.
    if (nowMs() < this.#pauseEndsMs) return;
    this.#pauseEndsMs = nowMs() + Math.min(maxPauseMs, pauseMs * 2 ** this.#failures);
    this.#failures++;
  }

  /** Records that a value has arrived after some time. One from the cache says nothing about the origin. */
  arrived(tookMs: number): void {
    if (tookMs > this.#deps.shortMs) this.#failures = 0;
  }
}

/** Limits how long a thread waits: {@link Patience}, or a fixed limit. */
export type WaitPatience = Pick<Patience, "limitMs" | "failed" | "arrived">;

/** Creates a patience with the same limit for every wait. */
export function steadyPatience(limitMs: number): WaitPatience {
  return { limitMs: () => limitMs, failed: () => undefined, arrived: () => undefined };
}
