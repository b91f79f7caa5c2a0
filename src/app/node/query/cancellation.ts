/** Cancellation state of the current query, set by the flag that the thread's machine and reads poll. */
export class Cancellation {
  readonly #flag: Int32Array;
  readonly #onLook: () => void;
  #isCancelled = false;

  /**
   * @param flag - non-zero cancels; the main thread sets and clears it
   * @param onLook - called at each poll of the flag
   */
  constructor(flag: Int32Array, onLook: () => void) {
    this.#flag = flag;
    this.#onLook = onLook;
  }

  /** Whether part of the current query was cancelled. */
  get isCancelled(): boolean {
    return this.#isCancelled;
  }

  /** Resets the state for the next query. */
  begin(): void {
    this.#isCancelled = false;
  }

  /** Polls the flag; long reads stop when this returns true. */
  isStopped(): boolean {
    this.#onLook();
    if (Atomics.load(this.#flag, 0) !== 0) this.#isCancelled = true;
    return this.#isCancelled;
  }

  /** Records whether a run of the machine was cancelled. */
  noted<T extends { readonly kind: string }>(outcome: T): T {
    if (outcome.kind === "cancelled") this.#isCancelled = true;
    return outcome;
  }
}
