/** Whether the query at hand was cancelled, by the flag that the thread's machine and reads look at. */
export class Cancellation {
  readonly #flag: Int32Array;
  readonly #onLook: () => void;
  #isCancelled = false;

  /**
   * @param flag - non-zero cancels; whoever asks sets and clears it
   * @param onLook - called wherever the flag is looked at
   */
  constructor(flag: Int32Array, onLook: () => void) {
    this.#flag = flag;
    this.#onLook = onLook;
  }

  /** Whether something of the query at hand was ended before its end. */
  get isCancelled(): boolean {
    return this.#isCancelled;
  }

  /** The next query begins. */
  begin(): void {
    this.#isCancelled = false;
  }

  /** For long reads: whether they have to end. */
  isStopped(): boolean {
    this.#onLook();
    if (Atomics.load(this.#flag, 0) !== 0) this.#isCancelled = true;
    return this.#isCancelled;
  }

  /** Notes what the machine says of a run. */
  noted<T extends { readonly kind: string }>(outcome: T): T {
    if (outcome.kind === "cancelled") this.#isCancelled = true;
    return outcome;
  }
}
