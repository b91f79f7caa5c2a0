/**
 * Turns at a thread that also has to answer others: long work is cut into slices, and between two of
 * them, whoever's they are, everything else that has arrived is served.
 */
export class Turns {
  readonly #waiting: (() => void)[] = [];
  #scheduled = false;

  /** Settles when the caller may work for one slice; first come, first served. */
  take(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#schedule();
    });
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#waiting.shift()?.();
      if (this.#waiting.length > 0) this.#schedule();
    });
  }
}
