/** Time limit for one piece of work on a thread; the work polls whether the limit has passed. */
export class TimeBudget {
  readonly #nowMs: () => number;
  #endsAtMs = Number.POSITIVE_INFINITY;

  /** @param nowMs - a monotonic clock, in milliseconds */
  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** Whether the current work has used its time; always false outside {@link run}. */
  get isOver(): boolean {
    return this.#nowMs() >= this.#endsAtMs;
  }

  /** Runs work with a limit of `limitMs` from now. */
  run<T>(limitMs: number, work: () => T): T {
    this.#endsAtMs = this.#nowMs() + limitMs;
    try {
      return work();
    } finally {
      this.#endsAtMs = Number.POSITIVE_INFINITY;
    }
  }
}
