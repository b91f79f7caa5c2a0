import type { Felt } from "#base/primitives/index.ts";
import type { Received } from "./received.ts";

/** Fields that determine the order. */
type Queued = Pick<Received, "hash" | "sender" | "nonce" | "untilMs">;

/** Queue of transactions: one at a time per account, by nonce; accounts take turns. */
export class SenderQueues {
  /** Transactions by nonce; the account whose turn is next comes first. */
  readonly #waiting = new Map<Felt, Queued[]>();
  readonly #busy = new Set<Felt>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add({ hash, sender, nonce, untilMs }: Queued): void {
    const queue = this.#waiting.get(sender);
    const queued = { hash, sender, nonce, untilMs };
    this.#size++;
    if (queue === undefined) this.#waiting.set(sender, [queued]);
    else {
      const behind = queue.findLastIndex((each) => each.nonce <= nonce);
      queue.splice(behind + 1, 0, queued);
    }
  }

  /** Removes the next transaction; its account is busy until {@link done}. `undefined` if none. */
  take(): Queued | undefined {
    for (const [sender, queue] of this.#waiting) {
      if (this.#busy.has(sender)) continue;
      const next = queue.shift();
      // Move the account behind the others.
      this.#waiting.delete(sender);
      if (queue.length > 0) this.#waiting.set(sender, queue);
      if (next === undefined) continue;
      this.#size--;
      this.#busy.add(sender);
      return next;
    }
    return undefined;
  }

  /** Releases the account for its next transaction. */
  done({ sender }: Pick<Queued, "sender">): void {
    this.#busy.delete(sender);
  }

  clear(): void {
    this.#waiting.clear();
    this.#size = 0;
  }
}
