/**
 * Does one piece of work after the other. Between two of them the thread handles other messages, so
 * that it can be told to stop. Nothing is done after a piece of work that failed.
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

  /** Settles when the work is done, or was left out because the time is over; rejects when it or work before it failed. */
  add(item: T): Promise<void> {
    const done = this.#last.then(async () => {
      await new Promise((resolve) => setImmediate(resolve));
      if (this.#nowMs() < this.#endsAtMs) await this.#work(item);
    });
    this.#last = done;
    return done;
  }

  /** Goes on for `timeMs`, then leaves out what has not begun. Settles when nothing is done any more. */
  async stop(timeMs: number): Promise<void> {
    this.#endsAtMs = this.#nowMs() + timeMs;
    // Whoever added the work was told of its failure.
    await this.#last.catch(() => undefined);
  }
}
