import { L1Error } from "#base/errors/index.ts";
import type { Timer } from "#base/primitives/index.ts";
import type { L1View } from "#io/l1/index.ts";

/**
 * Time without a response from L1 after which a step of following L1 is abandoned and restarted.
 */
export const STALL_MS = 60_000;

/**
 * Guards the L1 requests of one step. The step is abandoned as a whole after {@link STALL_MS} without a
 * response, or by {@link end}; later responses are ignored.
 */
export class GuardedStep {
  readonly #timer: Timer;
  readonly #ended = Promise.withResolvers<never>();
  #cancel: () => void = () => undefined;
  #open = 0;
  #isEnded = false;

  constructor(timer: Timer) {
    this.#timer = timer;
    // Pending and later requests reject with it; without one, nothing handles the rejection.
    this.#ended.promise.catch(() => undefined);
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  /**
   * Waits for a response from L1.
   *
   * @throws {L1Error} L1_STALLED when none arrives; the error of {@link end}
   */
  async ask<T>(question: () => Promise<T>): Promise<T> {
    if (this.#isEnded) return this.#ended.promise;
    this.#open++;
    this.#progress();
    try {
      return await Promise.race([question(), this.#ended.promise]);
    } finally {
      this.#open--;
      this.#progress();
    }
  }

  /** Abandons the step: pending and later requests reject with this error. */
  end(error: L1Error): void {
    this.#isEnded = true;
    this.#cancel();
    this.#ended.reject(error);
  }

  /** Wraps a view so that all its requests are guarded. */
  view(view: L1View): L1View {
    return {
      block: view.block,
      head: view.head,
      logs: (from, to) => this.ask(() => view.logs(from, to)),
      hashOf: (blockNumber) => this.ask(() => view.hashOf(blockNumber)),
      coreState: () => this.ask(() => view.coreState()),
      nextMessageNonce: () => this.ask(() => view.nextMessageNonce()),
      messages: (hashes) => this.ask(() => view.messages(hashes)),
    };
  }

  /** Restarts the timeout on each request and response, while a request is pending. */
  #progress(): void {
    this.#cancel();
    if (this.#open === 0 || this.#isEnded) return;
    this.#cancel = this.#timer.after(STALL_MS, () => this.end(stalled()));
  }
}

function stalled(): L1Error {
  const message = `no response from L1 for ${STALL_MS / 1000} seconds: the step restarts`;
  return new L1Error("L1_STALLED", message, true);
}
