/** Has work done a few at a time, in the order in which it came. */
export class Turns {
  readonly #waiting: (() => void)[] = [];
  #free: number;

  /** @param atOnce - how many at a time */
  constructor(atOnce: number) {
    this.#free = atOnce;
  }

  /** Settles as the work does, once it had its turn. */
  async take<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((next) => void this.#waiting.push(next));
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free++;
      else next();
    }
  }
}
