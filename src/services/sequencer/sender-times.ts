import type { Felt } from "#base/primitives/index.ts";

/** Half-life of a sender's recorded time; milliseconds. */
export const HALF_LIFE_MS = 20_000;

/** Maximum level of a sender, for at least 2^7 times the processor time that level 1 begins at. */
export const MAX_LEVEL = 8;

const MAX_SENDERS = 4_096;

interface Spent {
  readonly ms: number;
  readonly atMs: number;
}

/**
 * Processor time that each sender's transactions used recently; it halves every {@link HALF_LIFE_MS}. A
 * sender has level 0 up to a limit, level 1 above it, and one more each time the time doubles.
 */
export class SenderTimes {
  readonly #limitMs: number;
  /** Recorded time per sender, least recently changed first. */
  readonly #spent = new Map<Felt, Spent>();
  /** Senders that may be above the limit. Those that no longer are get removed at their next lookup. */
  readonly #raised = new Set<Felt>();

  /** @param limitMs - time up to which a sender has level 0 */
  constructor(limitMs: number) {
    this.#limitMs = limitMs;
  }

  /** Adds the processor time of one of the sender's transactions. */
  add(sender: Felt, processorMs: number, nowMs: number): void {
    const ms = this.#spentBy(sender, nowMs) + processorMs;
    this.#spent.delete(sender);
    this.#spent.set(sender, { ms, atMs: nowMs });
    if (ms > this.#limitMs) this.#raised.add(sender);
    if (this.#spent.size <= MAX_SENDERS) return;
    // Evict a sender above the limit only if there is no other.
    for (const other of this.#spent.keys()) {
      if (this.levelOf(other, nowMs) > 0 && this.#raised.size < MAX_SENDERS) continue;
      this.#spent.delete(other);
      this.#raised.delete(other);
      return;
    }
  }

  /** Returns the level of a sender, from 0 to {@link MAX_LEVEL}. */
  levelOf(sender: Felt, nowMs: number): number {
    if (!this.#raised.has(sender)) return 0;
    const times = this.#spentBy(sender, nowMs) / this.#limitMs;
    if (times > 1) return Math.min(MAX_LEVEL, 1 + Math.floor(Math.log2(times)));
    this.#raised.delete(sender);
    return 0;
  }

  /** Returns the senders above level 0 with their levels. */
  levels(nowMs: number): ReadonlyMap<Felt, number> {
    const levels = new Map<Felt, number>();
    for (const sender of this.#raised) {
      const level = this.levelOf(sender, nowMs);
      if (level > 0) levels.set(sender, level);
    }
    return levels;
  }

  hasRaised(nowMs: number): boolean {
    for (const sender of this.#raised) if (this.levelOf(sender, nowMs) > 0) return true;
    return false;
  }

  #spentBy(sender: Felt, nowMs: number): number {
    const spent = this.#spent.get(sender);
    return spent === undefined ? 0 : spent.ms * 2 ** ((spent.atMs - nowMs) / HALF_LIFE_MS);
  }
}
