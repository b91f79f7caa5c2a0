import type { Timer } from "#base/primitives/index.ts";

/** Age of the newest block since its acceptance on this node, by the monotonic clock. */
export class BlockAge {
  readonly #timer: Pick<Timer, "nowMs">;
  #sinceMs: number;

  /** Counts from now: the clock does not cover an earlier run's newest block. */
  constructor(timer: Pick<Timer, "nowMs">) {
    this.#timer = timer;
    this.#sinceMs = timer.nowMs();
  }

  accepted(): void {
    this.#sinceMs = this.#timer.nowMs();
  }

  /** Seconds since the newest block's acceptance, or since the start. */
  seconds(): number {
    return (this.#timer.nowMs() - this.#sinceMs) / 1000;
  }
}
