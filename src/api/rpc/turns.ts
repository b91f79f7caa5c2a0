import { type Client, FairQueue } from "./limits/fair-queue.ts";

/** Maximum time that clients' work takes in one turn of the event loop, in milliseconds. */
export const SLICE_MS = 5;

/** Expected time of a short request, in milliseconds. */
const SHORT_MS = 0.1;

/** Client that waits for its turn. */
interface Turn {
  /** Whether it may work for a whole slice. */
  readonly isSlice: boolean;
  readonly begin: () => void;
}

/**
 * Schedules client work on a shared thread. Long work is cut into slices, and between any two slices the
 * event loop serves everything else that has arrived. Short requests share slices. Addresses, and then
 * connections, take turns by the time spent on them.
 */
export class Turns {
  readonly #waiting = new FairQueue<Turn>(expectedMs);
  #isScheduled = false;
  /** Start of client work in this turn of the event loop; `undefined` if none has started. */
  #sliceStartMs: number | undefined;

  /**
   * Whether a short request may run right now: no client waits, and this turn of the event loop has time
   * left.
   */
  get isFree(): boolean {
    if (this.#waiting.size > 0) return false;
    const nowMs = performance.now();
    if (this.#sliceStartMs !== undefined) return nowMs - this.#sliceStartMs < SLICE_MS;
    this.#sliceStartMs = nowMs;
    this.#schedule();
    return true;
  }

  /** Settles when the client may work for one slice. */
  take(client: Client): Promise<void> {
    return this.#wait(client, true);
  }

  /** Settles when the client may start a short request; its work up to the first wait is charged to it. */
  takeShort(client: Client): Promise<void> {
    return this.#wait(client, false);
  }

  #wait(client: Client, isSlice: boolean): Promise<void> {
    return new Promise((begin) => {
      this.#waiting.push(client, { isSlice, begin });
      this.#schedule();
    });
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#sliceStartMs = undefined;
      void this.#serve().then(() => {
        this.#isScheduled = false;
        if (this.#waiting.size > 0) this.#schedule();
      });
    });
  }

  async #serve(): Promise<void> {
    const endMs = performance.now() + SLICE_MS;
    let startMs = endMs - SLICE_MS;
    while (startMs < endMs) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      const { client, item } = next;
      item.begin();
      if (item.isSlice) {
        this.#waiting.charge(client, SLICE_MS);
        return;
      }
      // The client continues before this function does: its reaction to the promise was queued first.
      await Promise.resolve();
      const nowMs = performance.now();
      this.#waiting.charge(client, nowMs - startMs);
      startMs = nowMs;
    }
  }
}

function expectedMs({ isSlice }: Turn): number {
  return isSlice ? SLICE_MS : SHORT_MS;
}
