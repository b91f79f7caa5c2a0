import type { Candidate, LiveFeed } from "#api/rpc/index.ts";
import type { Felt } from "#base/primitives/index.ts";

/** Most candidates that are kept; of more, the oldest are forgotten. */
export const MAX_CANDIDATES = 1_000;

/** Candidates are not kept when nobody has asked for so long. */
export const INTEREST_MS = 30_000;

/** A candidate that became nothing for so long was lost, with the thread that had it. */
export const CANDIDATE_MS = 60_000;

interface Kept {
  readonly candidate: Candidate;
  readonly atMs: number;
}

/**
 * Transactions that were handed to the executor and of which nothing is known since. They are heard of
 * while somebody asks for them again and again, and so not at the first time.
 */
export class CandidateBook {
  readonly #feed: Pick<LiveFeed, "watch">;
  readonly #nowMs: () => number;
  /** In the order in which they were handed on. */
  readonly #kept = new Map<Felt, Kept>();
  #askedMs = 0;
  #unwatch: (() => void) | undefined;

  constructor(feed: Pick<LiveFeed, "watch">, nowMs: () => number) {
    this.#feed = feed;
    this.#nowMs = nowMs;
  }

  /**
   * Those that are not executed yet, in the order in which they were handed on.
   *
   * @param isExecuted - whether a block has the transaction by now: it is forgotten then
   */
  waiting(isExecuted: (hash: Felt) => boolean): readonly Candidate[] {
    this.#askedMs = this.#nowMs();
    this.#unwatch ??= this.#feed.watch({
      candidates: (candidates) => this.#add(candidates),
      rejected: (hash) => this.#kept.delete(hash),
      reverted: () => this.#kept.clear(),
    });
    const found: Candidate[] = [];
    for (const [hash, { candidate, atMs }] of this.#kept) {
      if (this.#askedMs - atMs > CANDIDATE_MS || isExecuted(hash)) this.#kept.delete(hash);
      else found.push(candidate);
    }
    return found;
  }

  #add(candidates: readonly Candidate[]): void {
    const atMs = this.#nowMs();
    if (atMs - this.#askedMs > INTEREST_MS) {
      this.#unwatch?.();
      this.#unwatch = undefined;
      this.#kept.clear();
      return;
    }
    for (const candidate of candidates) {
      this.#kept.delete(candidate.hash);
      this.#kept.set(candidate.hash, { candidate, atMs });
    }
    for (const hash of this.#kept.keys()) {
      if (this.#kept.size <= MAX_CANDIDATES) break;
      this.#kept.delete(hash);
    }
  }
}
