import type { Felt } from "#base/primitives/index.ts";

/** Most transactions that are remembered: far more than a block on a development chain waits for. */
export const MAX_REMEMBERED = 10_000;

/**
 * Transactions that clients know to be received and that are not executed yet: a block that is made
 * on request has them. The oldest are forgotten when there are too many.
 */
export class ReceivedTransactions {
  readonly #hashes = new Set<Felt>();

  /** A transaction was received. */
  add(hash: Felt): void {
    this.#hashes.add(hash);
    if (this.#hashes.size <= MAX_REMEMBERED) return;
    const [oldest = hash] = this.#hashes;
    this.#hashes.delete(oldest);
  }

  /** Forgets those that are executed; whether none is left. */
  settle(isExecuted: (hash: Felt) => boolean): boolean {
    for (const hash of this.#hashes) if (isExecuted(hash)) this.#hashes.delete(hash);
    return this.#hashes.size === 0;
  }

  /** Forgets all: they wait for something that a block does not bring, such as an earlier nonce. */
  forget(): void {
    this.#hashes.clear();
  }
}
