import type { Felt } from "#base/primitives/index.ts";
import type { Received } from "./received.ts";

/** What the order depends on. */
type Queued = Pick<Received, "hash" | "sender" | "nonce" | "untilMs">;

/** Transactions that wait for a turn: of each account one at a time, by nonce; accounts in turns. */
export class SenderQueues {
  /** By nonce; the account whose turn is next is the first. */
  readonly #waiting = new Map<Felt, Queued[]>();
  readonly #busy = new Set<Felt>();
  #size = 0;

  /** How many wait. */
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

  /** The next one, whose account is busy until {@link done}; `undefined`: there is none. */
  take(): Queued | undefined {
    for (const [sender, queue] of this.#waiting) {
      if (this.#busy.has(sender)) continue;
      const next = queue.shift();
      // Behind the others.
      this.#waiting.delete(sender);
      if (queue.length > 0) this.#waiting.set(sender, queue);
      if (next === undefined) continue;
      this.#size--;
      this.#busy.add(sender);
      return next;
    }
    return undefined;
  }

  /** The account's next one may go. */
  done({ sender }: Pick<Queued, "sender">): void {
    this.#busy.delete(sender);
  }

  clear(): void {
    this.#waiting.clear();
    this.#size = 0;
  }
}
