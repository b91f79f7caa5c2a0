/** A limit on how long a piece of work may hold its thread; the work asks whether it is over. */
export class TimeBudget {
  readonly #nowMs: () => number;
  #endsAtMs = Number.POSITIVE_INFINITY;

  /** @param nowMs - a clock that never goes back, in milliseconds */
  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** Whether the work at hand has had its time; never outside of {@link run}. */
  get isOver(): boolean {
    return this.#nowMs() >= this.#endsAtMs;
  }

  /** Runs work that has `limitMs` from now on. */
  run<T>(limitMs: number, work: () => T): T {
    this.#endsAtMs = this.#nowMs() + limitMs;
    try {
      return work();
    } finally {
      this.#endsAtMs = Number.POSITIVE_INFINITY;
    }
  }
}
