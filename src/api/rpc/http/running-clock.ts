/** Clock that can be paused. */
export class RunningClock {
  #ranMs = 0;
  /** `undefined` while paused. */
  #sinceMs: number | undefined;

  /** Restarts the clock from zero. */
  start(nowMs: number): void {
    this.#ranMs = 0;
    this.#sinceMs = nowMs;
  }

  elapsedMs(nowMs: number): number {
    return this.#ranMs + (this.#sinceMs === undefined ? 0 : nowMs - this.#sinceMs);
  }

  stop(nowMs: number): void {
    this.#ranMs = this.elapsedMs(nowMs);
    this.#sinceMs = undefined;
  }

  /** Resumes if paused. */
  run(nowMs: number): void {
    this.#sinceMs ??= nowMs;
  }
}
