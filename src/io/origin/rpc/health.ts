import type { OriginState } from "../observer.ts";

/** Keeps whether an origin responds, and notifies of changes. */
export class Health {
  readonly #unixMs: () => number;
  readonly #notify: (state: OriginState) => void;
  #state: OriginState | undefined;

  /** @param unixMs - clock in Unix milliseconds */
  constructor(unixMs: () => number, notify: (state: OriginState) => void) {
    this.#unixMs = unixMs;
    this.#notify = notify;
  }

  /** Records a response of any URL. */
  answered(): void {
    if (this.#state?.kind === "up") return;
    this.#change({ kind: "up", sinceUnixMs: this.#unixMs() });
  }

  /** Records that no URL responds. */
  missed(reason: string): void {
    if (this.#state?.kind === "down") return;
    this.#change({ kind: "down", sinceUnixMs: this.#unixMs(), reason });
  }

  #change(state: OriginState): void {
    this.#state = state;
    this.#notify(state);
  }
}
