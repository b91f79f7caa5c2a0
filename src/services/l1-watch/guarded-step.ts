import { L1Error } from "#base/errors/index.ts";
import type { Timer } from "#base/primitives/index.ts";
import type { L1View } from "#io/l1/index.ts";

/** A step that L1 has not answered for so long is given up and begun again. */
export const STALL_MS = 60_000;

/**
 * What L1 is asked in one step: given up as a whole after {@link STALL_MS} without an answer, or when it
 * is told so. Answers that come later are of no account.
 */
export class GuardedStep {
  readonly #timer: Timer;
  readonly #ended = Promise.withResolvers<never>();
  #cancel: () => void = () => undefined;
  #open = 0;
  #isEnded = false;

  constructor(timer: Timer) {
    this.#timer = timer;
    // Whoever waits for an answer sees it; without a question nobody does.
    this.#ended.promise.catch(() => undefined);
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  /**
   * Waits for an answer of L1.
   *
   * @throws {L1Error} L1_STALLED when none comes; what {@link end} was told
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

  /** Gives it up: whoever waits for an answer, and whoever asks later, gets this error. */
  end(error: L1Error): void {
    this.#isEnded = true;
    this.#cancel();
    this.#ended.reject(error);
  }

  /** A view all of whose answers are waited for so. */
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

  /** An answer came, or a question goes out: the time begins anew, while there is an open question. */
  #progress(): void {
    this.#cancel();
    if (this.#open === 0 || this.#isEnded) return;
    this.#cancel = this.#timer.after(STALL_MS, () => this.end(stalled()));
  }
}

function stalled(): L1Error {
  const message = `L1 has not answered for ${STALL_MS / 1000} seconds: the step begins again`;
  return new L1Error("L1_STALLED", message, true);
}
