import type { OriginState } from "../observer.ts";

/** Records whether an origin responds, and notifies of changes. */
export class Health {
  readonly #unixMs: () => number;
  readonly #notify: (state: OriginState) => void;
  #state: OriginState | undefined;
  #answeredAtMs = -Infinity;

  /** @param unixMs - clock in Unix milliseconds */
  constructor(unixMs: () => number, notify: (state: OriginState) => void) {
    this.#unixMs = unixMs;
    this.#notify = notify;
  }

  /** Records a response of any URL, at a time of the timer. */
  answered(nowMs: number): void {
    this.#answeredAtMs = nowMs;
    if (this.#state?.kind === "up") return;
    this.#change({ kind: "up", sinceUnixMs: this.#unixMs() });
  }

  /** Records that no URL responds. */
  missed(reason: string): void {
    if (this.#state?.kind === "down") return;
    this.#change({ kind: "down", sinceUnixMs: this.#unixMs(), reason });
  }

  /**
   * Records a value that missed its deadline; the origin is down only if it did not respond to others either.
   *
   * @param sinceMs - when the value was requested
   */
  expired(reason: string, sinceMs: number): void {
    if (this.#answeredAtMs < sinceMs) this.missed(reason);
  }

  #change(state: OriginState): void {
    this.#state = state;
    this.#notify(state);
  }
}
