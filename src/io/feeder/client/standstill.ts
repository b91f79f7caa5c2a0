import type { Timer } from "#base/primitives/index.ts";

/** Tells when a gateway's newest block has stood still for so long that others are worth a question. */
export class Standstill {
  readonly #timer: Pick<Timer, "nowMs">;
  readonly #standstillMs: number;
  #highest = -1;
  #sinceMs: number;

  /** @param standstillMs - how long the newest block has to stay the same, each time */
  constructor(timer: Pick<Timer, "nowMs">, standstillMs: number) {
    this.#timer = timer;
    this.#standstillMs = standstillMs;
    this.#sinceMs = timer.nowMs();
  }

  /**
   * A newest block was told.
   *
   * @returns whether others are to be asked now
   */
  told(blockNumber: number): boolean {
    const nowMs = this.#timer.nowMs();
    const isHigher = blockNumber > this.#highest;
    if (!isHigher && nowMs - this.#sinceMs < this.#standstillMs) return false;
    this.#highest = Math.max(this.#highest, blockNumber);
    this.#sinceMs = nowMs;
    return !isHigher;
  }
}
