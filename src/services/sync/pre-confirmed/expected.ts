import type { Felt } from "#base/primitives/index.ts";

/** Least time between two looks for blocks that are not accepted, whatever is expected. */
export const MIN_POLL_MS = 50;

/** Most transactions that are expected: the newest decides how soon the next look is. */
export const MAX_EXPECTED = 64;

/** What is expected with. */
export interface ExpectedDeps {
  /** Whether a transaction is in a block that readers were told of. */
  readonly isSeen: (hash: Felt) => boolean;
  /** Time between two looks when nothing is expected. */
  readonly pollMs: number;
  readonly nowMs: () => number;
}

/**
 * Transactions that were handed on a moment ago and are in no block that is known here: whoever sent one
 * asks for it, and for the account's nonce after it. The longer the newest is expected, the longer the
 * looks are apart: one that the sequencer keeps waiting costs it about ten questions more.
 */
export class ExpectedTransactions {
  readonly #deps: ExpectedDeps;
  /** When each was handed on; the newest is the last. */
  readonly #since = new Map<Felt, number>();

  constructor(deps: ExpectedDeps) {
    this.#deps = deps;
  }

  /** One was handed on. */
  add(hash: Felt): void {
    this.#since.delete(hash);
    this.#since.set(hash, this.#deps.nowMs());
    for (const oldest of this.#since.keys()) {
      if (this.#since.size <= MAX_EXPECTED) break;
      this.#since.delete(oldest);
    }
  }

  /** How long the next look may wait, {@link MIN_POLL_MS} at least; `undefined`: nothing is expected. */
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
