/** How long an empty mempool is not asked again. */
export const SLEEP_MS = 250;

/**
 * Pause after a batch that was not full: every batch has costs in all threads that do not depend on
 * its size, and what arrives meanwhile shares the next one. A transaction alone does not wait.
 */
export const BATCH_PAUSE_MS = 10;

/**
 * When the executor asks admission for the next batch. Admission wakes it when something arrives;
 * asking now and then costs little, should that get lost.
 */
export class PullPace {
  readonly #nowMs: () => number;
  readonly #batchSize: number;
  #asleepUntilMs = Number.NEGATIVE_INFINITY;
  #pauseEndsMs = Number.NEGATIVE_INFINITY;
  #idle = true;

  /** @param batchSize - most transactions of a batch */
  constructor(batchSize: number, nowMs: () => number = () => performance.now()) {
    this.#batchSize = batchSize;
    this.#nowMs = nowMs;
  }

  /** Nothing executable waits: admission hands out all it has, up to what was asked for. */
  get isIdle(): boolean {
    return this.#idle;
  }

  /** Nothing is asked for until {@link wake} or the end of the sleep. */
  get isAsleep(): boolean {
    return this.#nowMs() < this.#asleepUntilMs;
  }

  /** Milliseconds until a batch may be asked for; 0 or less: now. */
  get pauseMs(): number {
    return this.#pauseEndsMs - this.#nowMs();
  }

  /** A batch of `count` transactions has come. */
  batch(count: number): void {
    this.#idle = count < this.#batchSize;
    if (count === 0) this.#asleepUntilMs = this.#nowMs() + SLEEP_MS;
  }

  /** The newest batch is executed. */
  executed(): void {
    if (this.#idle) this.#pauseEndsMs = this.#nowMs() + BATCH_PAUSE_MS;
  }

  /** Something may wait again: it arrived, or was given back. */
  wake(): void {
    this.#asleepUntilMs = Number.NEGATIVE_INFINITY;
  }
}
