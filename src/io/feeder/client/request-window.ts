/**
 * How many requests may be in flight at one place: half as many each time that it is overloaded, and
 * one more for each round of answers, as TCP does. Whoever has to wait is let in in order.
 */
export class RequestWindow {
  readonly #max: number;
  readonly #waiting = new Set<() => void>();
  #limit: number;
  #inFlight = 0;
  #halvedAtMs = Number.NEGATIVE_INFINITY;

  /** @param max - the most that may ever be in flight, and the number to begin with */
  constructor(max: number) {
    this.#max = max;
    this.#limit = max;
  }

  /** How many may be in flight now. */
  get limit(): number {
    return Math.floor(this.#limit);
  }

  /**
   * Waits for a place, which {@link leave} gives back.
   *
   * @returns `false`: the signal was aborted, and there is no place
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

  /** Gives a place back. */
  leave(): void {
    this.#inFlight--;
    this.#letIn();
  }

  /** An answer came. */
  answered(): void {
    this.#limit = Math.min(this.#max, this.#limit + 1 / this.#limit);
    this.#letIn();
  }

  /**
   * A request was too much. Those that were in flight together count once.
   *
   * @param beganMs - when the request was sent
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
