import type { Candidate, LiveFeed } from "#api/rpc/index.ts";
import type { Felt } from "#base/primitives/index.ts";

/** Maximum number of candidates kept; the oldest are evicted first. */
export const MAX_CANDIDATES = 1_000;

/**
 * Maximum total size of kept candidates in bytes: about one batch and a bit more. A request for a whole block
 * returns all of them.
 */
export const MAX_CANDIDATE_BYTES: number = 512 << 10;

/** Time after the last request for candidates during which they are still collected. */
export const INTEREST_MS = 30_000;

/** Maximum age of a candidate: an older one was lost with the thread that held it. */
export const CANDIDATE_MS = 60_000;

interface Kept {
  readonly candidate: Candidate;
  readonly atMs: number;
}

/**
 * Collects transactions that were passed to the executor and have no result yet. It watches the feed only
 * while clients keep requesting them, so the first request after a pause returns none.
 */
export class CandidateBook {
  readonly #feed: Pick<LiveFeed, "watch">;
  readonly #nowMs: () => number;
  /** In the order in which the executor received them. */
  readonly #kept = new Map<Felt, Kept>();
  #bytes = 0;
  #askedMs = 0;
  #unwatch: (() => void) | undefined;

  constructor(feed: Pick<LiveFeed, "watch">, nowMs: () => number) {
    this.#feed = feed;
    this.#nowMs = nowMs;
  }

  /**
   * Returns candidates that are not executed yet, in the order in which the executor received them. Drops
   * those older than {@link CANDIDATE_MS}.
   *
   * @param isExecuted - whether a block contains the transaction by now; the candidate is then dropped
   */
  waiting(isExecuted: (hash: Felt) => boolean): readonly Candidate[] {
    this.#askedMs = this.#nowMs();
    this.#unwatch ??= this.#feed.watch({
      candidates: (candidates) => this.#add(candidates),
      rejected: (hash) => this.#forget(hash),
      reverted: () => this.#forgetAll(),
    });
    const found: Candidate[] = [];
    for (const [hash, { candidate, atMs }] of this.#kept) {
      if (this.#askedMs - atMs > CANDIDATE_MS || isExecuted(hash)) this.#forget(hash);
      else found.push(candidate);
    }
    return found;
  }

  #add(candidates: readonly Candidate[]): void {
    const atMs = this.#nowMs();
    if (atMs - this.#askedMs > INTEREST_MS) {
      this.#unwatch?.();
      this.#unwatch = undefined;
      this.#forgetAll();
      return;
    }
    for (const candidate of candidates) {
      this.#forget(candidate.hash);
      this.#kept.set(candidate.hash, { candidate, atMs });
      this.#bytes += candidate.bytes.byteLength;
    }
    for (const hash of this.#kept.keys()) {
      if (this.#kept.size <= MAX_CANDIDATES && this.#bytes <= MAX_CANDIDATE_BYTES) break;
      this.#forget(hash);
    }
  }

  #forget(hash: Felt): void {
    this.#bytes -= this.#kept.get(hash)?.candidate.bytes.byteLength ?? 0;
    this.#kept.delete(hash);
  }

  #forgetAll(): void {
    this.#kept.clear();
    this.#bytes = 0;
  }
}
