/**
 * Runs work items one after the other. Between two items the thread handles other messages, so that it can
 * receive a stop. Nothing runs after an item that failed.
 */
export class WorkQueue<T> {
  readonly #work: (item: T) => Promise<void>;
  readonly #nowMs: () => number;
  #last: Promise<void> = Promise.resolve();
  #endsAtMs = Number.POSITIVE_INFINITY;

  constructor(work: (item: T) => Promise<void>, nowMs: () => number = () => performance.now()) {
    this.#work = work;
    this.#nowMs = nowMs;
  }

  /**
   * Settles when the item is done or, after the deadline, skipped; rejects if it or an earlier item failed.
   */
  add(item: T): Promise<void> {
    const done = this.#last.then(async () => {
      await new Promise((resolve) => setImmediate(resolve));
      if (this.#nowMs() < this.#endsAtMs) await this.#work(item);
    });
    this.#last = done;
    return done;
  }

  /** Continues for `timeMs`, then skips the remaining items. Settles when nothing is running. */
  async stop(timeMs: number): Promise<void> {
    this.#endsAtMs = this.#nowMs() + timeMs;
    // The caller of `add` handles the failure.
    await Promise.allSettled([this.#last]);
  }
}
