import type { MempoolEntry } from "./types.ts";

/**
 * The waiting transactions of one account, at most one per nonce.
 *
 * `next` is the nonce that may be executed next: the account's nonce on the pending state plus the
 * transactions handed out and not yet settled.
 */
export class AccountQueue {
  readonly entries = new Map<bigint, MempoolEntry>();
  next: bigint;
  /** Transactions handed out and not settled. */
  inFlight = 0;

  constructor(next: bigint) {
    this.next = next;
  }

  /** The transaction that can be executed now. */
  ready(): MempoolEntry | undefined {
    return this.entries.get(this.next);
  }

  /** The entry furthest from execution. */
  last(): MempoolEntry | undefined {
    let last: MempoolEntry | undefined;
    for (const entry of this.entries.values()) {
      if (last === undefined || entry.nonce > last.nonce) last = entry;
    }
    return last;
  }
}
