import type { Felt } from "#base/primitives/index.ts";

/** Minimum interval between polls for pre-confirmed blocks, regardless of expected transactions. */
export const MIN_POLL_MS = 50;

/** Maximum number of expected transactions; only the newest determines the next poll. */
export const MAX_EXPECTED = 64;

/** Dependencies of {@link ExpectedTransactions}. */
export interface ExpectedDeps {
  /** Whether a transaction is in a block that was published to readers. */
  readonly isSeen: (hash: Felt) => boolean;
  /** Poll interval when nothing is expected. */
  readonly pollMs: number;
  readonly nowMs: () => number;
}

/**
 * Recently forwarded transactions that no known block contains. Their senders are likely to query them and
 * the account's next nonce. The longer the newest has been expected, the longer the poll interval: a
 * transaction that the sequencer delays costs it about ten extra requests.
 */
export class ExpectedTransactions {
  readonly #deps: ExpectedDeps;
  /** Time at which each was forwarded; the newest is last. */
  readonly #since = new Map<Felt, number>();

  constructor(deps: ExpectedDeps) {
    this.#deps = deps;
  }

  add(hash: Felt): void {
    this.#since.delete(hash);
    this.#since.set(hash, this.#deps.nowMs());
    for (const oldest of this.#since.keys()) {
      if (this.#since.size <= MAX_EXPECTED) break;
      this.#since.delete(oldest);
    }
  }

  /**
   * Returns the delay until the next poll, at least {@link MIN_POLL_MS}; `undefined` if nothing is expected.
   */
  delayMs(): number | undefined {
    const { isSeen, pollMs, nowMs } = this.#deps;
    const now = nowMs();
    let newestMs: number | undefined;
    for (const [hash, sinceMs] of this.#since) {
      if (now - sinceMs >= 2 * pollMs || isSeen(hash)) this.#since.delete(hash);
      else newestMs = sinceMs;
    }
    if (newestMs === undefined) return undefined;
    return Math.max(MIN_POLL_MS, (now - newestMs) / 2);
  }
}
