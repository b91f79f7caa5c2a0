import type { Felt } from "#base/primitives/index.ts";

/** Maximum remembered transactions: far more than a block of a development chain waits for. */
export const MAX_REMEMBERED = 10_000;

/**
 * Received transactions that clients know of and that are not executed yet. A block made on request includes
 * them. Above the limit the oldest is dropped.
 */
export class ReceivedTransactions {
  readonly #hashes = new Set<Felt>();

  add(hash: Felt): void {
    this.#hashes.add(hash);
    if (this.#hashes.size <= MAX_REMEMBERED) return;
    const [oldest = hash] = this.#hashes;
    this.#hashes.delete(oldest);
  }

  /** Removes executed transactions. @returns whether none is left */
  settle(isExecuted: (hash: Felt) => boolean): boolean {
    for (const hash of this.#hashes) if (isExecuted(hash)) this.#hashes.delete(hash);
    return this.#hashes.size === 0;
  }

  /** Removes all: the rest waits for something that a block does not provide, such as an earlier nonce. */
  forget(): void {
    this.#hashes.clear();
  }
}
