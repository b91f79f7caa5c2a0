import type { Candidate, LiveFeed } from "#api/rpc/index.ts";
import type { Felt } from "#base/primitives/index.ts";

/** Most candidates that are kept; of more, the oldest are forgotten. */
export const MAX_CANDIDATES = 1_000;

/**
 * Most bytes of candidates that are kept: what was handed on in one go and some more. Whoever asks for a
 * whole block is told all of them.
 */
export const MAX_CANDIDATE_BYTES: number = 512 << 10;

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
  #bytes = 0;
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
