/** Lets only so many things go on at a time; who comes first has the first turn. */
export class Turns {
  readonly #max: number;
  readonly #maxWaiting: number;
  readonly #waiting = new Set<(isIn: boolean) => void>();
  #running = 0;

  /**
   * @param max - that go on at a time
   * @param maxWaiting - that may wait for a turn
   */
  constructor(max: number, maxWaiting: number) {
    this.#max = max;
    this.#maxWaiting = maxWaiting;
  }

  /**
   * Runs something when it is its turn.
   *
   * @returns `undefined`: there is no room, or waiting was ended
   */
  async run<T>(work: () => Promise<T>): Promise<T | undefined> {
    if (!(await this.#enter())) return undefined;
    try {
      return await work();
    } finally {
      this.#leave();
    }
  }

  /** Lets nobody in who waits now. */
  dismiss(): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const answer of waiting) answer(false);
  }

  async #enter(): Promise<boolean> {
    if (this.#running < this.#max) {
      this.#running++;
      return true;
    }
    if (this.#waiting.size >= this.#maxWaiting) return false;
    return new Promise((answer) => this.#waiting.add(answer));
  }

  #leave(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#running--;
      return;
    }
    this.#waiting.delete(next);
    next(true);
  }
}
