import { RecentMap } from "#base/primitives/index.ts";
import type { Party } from "../submission/fair-queue.ts";

/** Maximum number of senders kept. */
const CAPACITY = 4096;

/**
 * Remembers senders whose class recently exceeded the compiler's time or memory limit; evicts the
 * oldest first.
 */
export class Exhausters {
  readonly #nowMs: () => number;
  readonly #memoryMs: number;
  readonly #untilMs = new RecentMap<Party, number>(CAPACITY);

  /**
   * @param nowMs - a monotonic clock, in milliseconds
   * @param memoryMs - how long a sender is kept
   */
  constructor(nowMs: () => number, memoryMs: number) {
    this.#nowMs = nowMs;
    this.#memoryMs = memoryMs;
  }

  has(sender: Party): boolean {
    return this.#nowMs() < (this.#untilMs.get(sender) ?? 0);
  }

  add(sender: Party): void {
    this.#untilMs.set(sender, this.#nowMs() + this.#memoryMs);
  }
}
