/** Runs work one item after another, in the order of the calls. An item that fails does not stop the next one. */
export class Turns {
  /** Resolves once all work so far has ended, with or without an error. */
  #ended: Promise<unknown> = Promise.resolve();

  /** Runs work after all earlier work has ended. Settles as the work does: its caller handles the error. */
  run<T>(work: () => T | Promise<T>): Promise<T> {
    const done = this.#ended.then(work);
    this.#ended = Promise.allSettled([done]);
    return done;
  }

  /** Resolves once all work that was requested before this call has ended. */
  async idle(): Promise<void> {
    await this.#ended;
  }
}
