/** Limits how many tasks run concurrently; waiting tasks start in the order of their calls. */
export class Turns {
  readonly #waiting: (() => void)[] = [];
  #free: number;

  /** @param atOnce - maximum number of concurrent tasks */
  constructor(atOnce: number) {
    this.#free = atOnce;
  }

  /** Settles like `work`, which runs once a slot is free. */
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
