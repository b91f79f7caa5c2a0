import type { Felt } from "#base/primitives/index.ts";

/** How much faster a debt grows than it is forgotten. */
const PAYBACK = 10;

/** Senders that are remembered. */
const MAX_SENDERS = 4_096;

interface Debt {
  readonly ms: number;
  readonly atMs: number;
}

/**
 * Processor time that the transactions of each sender took lately: a debt that is forgotten at a
 * tenth of the speed of time. Who owes more than a limit is owing.
 */
export class SenderTimes {
  readonly #limitMs: number;
  /** By the time of the last change, oldest first. */
  readonly #debts = new Map<Felt, Debt>();
  /** Senders that may be owing; those that are not any more go when they are looked at. */
  readonly #owing = new Set<Felt>();

  /** @param limitMs - debts above it count */
  constructor(limitMs: number) {
    this.#limitMs = limitMs;
  }

  /** A transaction of the sender took this processor time. */
  add(sender: Felt, processorMs: number, nowMs: number): void {
    const ms = this.#debtOf(sender, nowMs) + processorMs;
    this.#debts.delete(sender);
    this.#debts.set(sender, { ms, atMs: nowMs });
    if (ms > this.#limitMs) this.#owing.add(sender);
    if (this.#debts.size <= MAX_SENDERS) return;
    // An owing one goes only where all others are gone.
    for (const other of this.#debts.keys()) {
      if (this.isOwing(other, nowMs) && this.#owing.size < MAX_SENDERS) continue;
      this.#debts.delete(other);
      this.#owing.delete(other);
      return;
    }
  }

  /** Whether the sender owes more than the limit. */
  isOwing(sender: Felt, nowMs: number): boolean {
    if (!this.#owing.has(sender)) return false;
    if (this.#debtOf(sender, nowMs) > this.#limitMs) return true;
    this.#owing.delete(sender);
    return false;
  }

  /** Whether anybody owes more than the limit. */
  hasOwing(nowMs: number): boolean {
    for (const sender of this.#owing) if (this.isOwing(sender, nowMs)) return true;
    return false;
  }

  /** Who owes more than the limit. */
  owing(nowMs: number): readonly Felt[] {
    return [...this.#owing].filter((sender) => this.isOwing(sender, nowMs));
  }

  #debtOf(sender: Felt, nowMs: number): number {
    const debt = this.#debts.get(sender);
    return debt === undefined ? 0 : Math.max(0, debt.ms - (nowMs - debt.atMs) / PAYBACK);
  }
}
