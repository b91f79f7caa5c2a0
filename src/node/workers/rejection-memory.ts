import type { Felt } from "#primitives/index.ts";

/** Rejections that are remembered; the oldest is forgotten first. */
const CAPACITY = 10_000;

/** Why transactions that were received did not get into a block, for those who ask later. */
export class RejectionMemory {
  readonly #reasons = new Map<Felt, string>();

  remember(hash: Felt, reason: string): void {
    this.#reasons.delete(hash);
    this.#reasons.set(hash, reason);
    if (this.#reasons.size <= CAPACITY) return;
    const oldest = this.#reasons.keys().next().value;
    if (oldest !== undefined) this.#reasons.delete(oldest);
  }

  find(hash: Felt): string | undefined {
    return this.#reasons.get(hash);
  }
}
