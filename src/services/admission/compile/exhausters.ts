import { RecentMap } from "#base/primitives/index.ts";
import type { Party } from "../submission/fair-queue.ts";

/** Senders that are remembered. */
const CAPACITY = 4096;

/** Senders whose class was given up for time or memory lately; the oldest is forgotten first. */
export class Exhausters {
  readonly #nowMs: () => number;
  readonly #memoryMs: number;
  readonly #untilMs = new RecentMap<Party, number>(CAPACITY);

  /**
   * @param nowMs - a clock that never goes back, in milliseconds
   * @param memoryMs - how long a sender is remembered
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
