/** Dependencies of {@link Patience}. */
export interface PatienceDeps {
  /** Time to wait for a value, in milliseconds. */
  readonly fullMs: number;
  /** Time to wait shortly after a failure, in milliseconds: enough for a value that the cache has. */
  readonly shortMs: number;
  /** Time after a failure until the next full wait, in milliseconds. */
  readonly pauseMs: number;
  /** A monotonic clock, in milliseconds. */
  readonly nowMs: () => number;
}

/**
 * Decides how long a thread waits for a value of the origin. After a wait in vain, the next ones are short for
 * a while, so that a lost origin does not hold up work that the cache suffices for.
 */
export class Patience {
  readonly #deps: PatienceDeps;
  #pauseEndsMs = Number.NEGATIVE_INFINITY;

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
    const { pauseMs, nowMs } = this.#deps;
    // Short waits in vain do not prolong the pause: the origin may respond again.
    if (nowMs() >= this.#pauseEndsMs) this.#pauseEndsMs = nowMs() + pauseMs;
  }
}

/** Patience that never ends: every wait has the same limit. */
export function steadyPatience(limitMs: number): Pick<Patience, "limitMs" | "failed"> {
  return { limitMs: () => limitMs, failed: () => undefined };
}
