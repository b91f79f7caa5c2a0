import type { Timer } from "#base/primitives/index.ts";

/** How long ago the newest block was accepted here, by the monotonic clock. */
export class BlockAge {
  readonly #timer: Pick<Timer, "nowMs">;
  #sinceMs: number;

  /** Begins now: when the newest block of an earlier run came is not known by this clock. */
  constructor(timer: Pick<Timer, "nowMs">) {
    this.#timer = timer;
    this.#sinceMs = timer.nowMs();
  }

  /** A block was accepted. */
  accepted(): void {
    this.#sinceMs = this.#timer.nowMs();
  }

  /** Since then, or since the start. */
  seconds(): number {
    return (this.#timer.nowMs() - this.#sinceMs) / 1000;
  }
}
