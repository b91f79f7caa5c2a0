/** Senders that are remembered. */
const CAPACITY = 4096;

/** Senders whose class was given up for time or memory lately; the oldest is forgotten first. */
export class Exhausters {
  readonly #nowMs: () => number;
  readonly #memoryMs: number;
  readonly #untilMs = new Map<bigint, number>();

  /**
   * @param nowMs - a clock that never goes back, in milliseconds
   * @param memoryMs - how long a sender is remembered
   */
  constructor(nowMs: () => number, memoryMs: number) {
    this.#nowMs = nowMs;
    this.#memoryMs = memoryMs;
  }

  has(sender: bigint): boolean {
    return this.#nowMs() < (this.#untilMs.get(sender) ?? 0);
  }

  add(sender: bigint): void {
    this.#untilMs.delete(sender);
    this.#untilMs.set(sender, this.#nowMs() + this.#memoryMs);
    if (this.#untilMs.size <= CAPACITY) return;
    const oldest = this.#untilMs.keys().next().value;
    if (oldest !== undefined) this.#untilMs.delete(oldest);
  }
}
