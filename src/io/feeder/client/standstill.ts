import type { Timer } from "#base/primitives/index.ts";

/**
 * Detects that a gateway's newest block has not changed for so long that the other gateways should
 * be polled.
 */
export class Standstill {
  readonly #timer: Pick<Timer, "nowMs">;
  readonly #standstillMs: number;
  #highest = -1;
  #sinceMs: number;

  /** @param standstillMs - time without a new block before each report */
  constructor(timer: Pick<Timer, "nowMs">, standstillMs: number) {
    this.#timer = timer;
    this.#standstillMs = standstillMs;
    this.#sinceMs = timer.nowMs();
  }

  /**
   * Records the gateway's newest block.
   *
   * @returns whether other gateways should be polled now
   */
  record(blockNumber: number): boolean {
    const nowMs = this.#timer.nowMs();
    const isHigher = blockNumber > this.#highest;
    if (!isHigher && nowMs - this.#sinceMs < this.#standstillMs) return false;
    this.#highest = Math.max(this.#highest, blockNumber);
    this.#sinceMs = nowMs;
    return !isHigher;
  }
}
