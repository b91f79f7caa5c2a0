import { type Client, FairQueue } from "./limits/fair-queue.ts";

/** Every turn counts as much. */
const TURN = 1;

/**
 * Turns at a thread that also has to answer others: long work is cut into slices, and between two of
 * them, whoever's they are, everything else that has arrived is served.
 */
export class Turns {
  readonly #waiting = new FairQueue<() => void>(() => TURN);
  #scheduled = false;

  /** Settles when the client may work for one slice; addresses, then connections, take turns. */
  take(client: Client): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(client, resolve);
      this.#schedule();
    });
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      const next = this.#waiting.shift();
      if (next !== undefined) {
        this.#waiting.charge(next.client, TURN);
        next.item();
      }
      if (this.#waiting.size > 0) this.#schedule();
    });
  }
}
