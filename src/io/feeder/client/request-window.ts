/**
 * Limits the requests in flight at one gateway, with TCP-like congestion control. Each overload halves the
 * limit, and each round of responses raises it by one. Waiting requests enter in order.
 */
export class RequestWindow {
  readonly #max: number;
  readonly #waiting = new Set<() => void>();
  #limit: number;
  #inFlight = 0;
  #halvedAtMs = Number.NEGATIVE_INFINITY;

  /** @param max - upper bound and initial value of the limit */
  constructor(max: number) {
    this.#max = max;
    this.#limit = max;
  }

  /** Current maximum of requests in flight. */
  get limit(): number {
    return Math.floor(this.#limit);
  }

  /**
   * Waits for a slot, which {@link leave} releases.
   *
   * @returns `false` if the signal was aborted; then no slot is held
   */
  enter(signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return Promise.resolve(false);
    if (this.#inFlight < this.limit) {
      this.#inFlight++;
      return Promise.resolve(true);
    }
    return new Promise((resolve) => {
      const end = (isIn: boolean): void => {
        this.#waiting.delete(letIn);
        signal.removeEventListener("abort", leave);
        resolve(isIn);
      };
      const letIn = (): void => end(true);
      const leave = (): void => end(false);
      this.#waiting.add(letIn);
      signal.addEventListener("abort", leave);
    });
  }

  leave(): void {
    this.#inFlight--;
    this.#letIn();
  }

  answered(): void {
    this.#limit = Math.min(this.#max, this.#limit + 1 / this.#limit);
    this.#letIn();
  }

  /**
   * Records an overloaded request. Concurrent ones count once.
   *
   * @param beganMs - time at which the request was sent
   */
  overloaded(beganMs: number, nowMs: number): void {
    if (beganMs < this.#halvedAtMs) return;
    this.#halvedAtMs = nowMs;
    this.#limit = Math.max(1, this.#limit / 2);
  }

  #letIn(): void {
    for (const letIn of this.#waiting) {
      if (this.#inFlight >= this.limit) return;
      this.#inFlight++;
      letIn();
    }
  }
}
