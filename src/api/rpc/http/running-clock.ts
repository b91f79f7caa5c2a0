/** A clock that can be stopped for a while. */
export class RunningClock {
  #ranMs = 0;
  /** `undefined` while it stands still. */
  #sinceMs: number | undefined;

  /** It runs from zero. */
  start(nowMs: number): void {
    this.#ranMs = 0;
    this.#sinceMs = nowMs;
  }

  /** How long it has run. */
  elapsedMs(nowMs: number): number {
    return this.#ranMs + (this.#sinceMs === undefined ? 0 : nowMs - this.#sinceMs);
  }

  stop(nowMs: number): void {
    this.#ranMs = this.elapsedMs(nowMs);
    this.#sinceMs = undefined;
  }

  /** Runs on, if it was stopped. */
  run(nowMs: number): void {
    this.#sinceMs ??= nowMs;
  }
}
