import type { Felt } from "#base/primitives/index.ts";

interface Waiting {
  readonly sender: Felt;
  readonly answer: (isIn: boolean) => void;
}

/** Limits the number of tasks that run concurrently, first come, first served. */
export class Turns {
  readonly #max: number;
  readonly #maxWaiting: number;
  readonly #maxOfSender: number;
  readonly #waiting = new Set<Waiting>();
  readonly #ofSender = new Map<Felt, number>();
  #running = 0;
  #isOver = false;

  /**
   * @param max - maximum number of concurrent tasks
   * @param maxWaiting - maximum number of waiting tasks
   * @param maxOfSender - maximum number of waiting tasks of one account
   */
  constructor(max: number, maxWaiting: number, maxOfSender: number) {
    this.#max = max;
    this.#maxWaiting = maxWaiting;
    this.#maxOfSender = maxOfSender;
  }

  /**
   * Runs a task once a slot is free.
   *
   * @param sender - account that the task belongs to
   * @returns `undefined` if there is no room, or {@link dismiss} was called
   */
  async run<T>(sender: Felt, work: () => Promise<T>): Promise<T | undefined> {
    if (!(await this.#enter(sender))) return undefined;
    try {
      return await work();
    } finally {
      this.#leave();
    }
  }

  /** Rejects all waiting and future tasks; running ones complete. */
  dismiss(): void {
    this.#isOver = true;
    for (const waiting of this.#waiting) this.#take(waiting).answer(false);
  }

  async #enter(sender: Felt): Promise<boolean> {
    if (this.#isOver) return false;
    if (this.#running < this.#max) {
      this.#running++;
      return true;
    }
    const ofSender = this.#ofSender.get(sender) ?? 0;
    if (this.#waiting.size >= this.#maxWaiting || ofSender >= this.#maxOfSender) return false;
    this.#ofSender.set(sender, ofSender + 1);
    return new Promise((answer) => this.#waiting.add({ sender, answer }));
  }

  #leave(): void {
    const [next] = this.#waiting;
    if (next === undefined) this.#running--;
    else this.#take(next).answer(true);
  }

  #take(waiting: Waiting): Waiting {
    const { sender } = waiting;
    this.#waiting.delete(waiting);
    const left = (this.#ofSender.get(sender) ?? 1) - 1;
    if (left === 0) this.#ofSender.delete(sender);
    else this.#ofSender.set(sender, left);
    return waiting;
  }
}
