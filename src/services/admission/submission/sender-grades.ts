import { type Felt, RecentMap } from "#base/primitives/index.ts";

/**
 * What is known of a sender, best first: *proven* ones had a transaction taken lately, *plain* ones
 * have an account and no record, *doubtful* ones have no account yet or were refused lately.
 */
export const GRADES = ["proven", "plain", "doubtful"] as const;

/** See {@link GRADES}. */
export type Grade = (typeof GRADES)[number];

/** Senders that are remembered; the one not heard of for longest is forgotten first. */
const CAPACITY = 10_000;

/** A record of validations without news for this long counts as none, in milliseconds. */
export const VALIDATION_MEMORY_MS = 60_000;

/** Bounds of a score: one success wipes most of a bad record out, few failures a good one. */
const BEST = 3;
const WORST = -4;

/** What a failed validation takes from the score; a success adds 1. */
const FAILURE = 2;

interface SenderRecord {
  readonly score: number;
  readonly atMs: number;
}

/**
 * How the latest submissions in each sender's name ended. Senders are not authenticated: a bad
 * record may be somebody else's doing, so that it costs precedence and never the service.
 */
export class SenderGrades {
  readonly #nowMs: () => number;
  readonly #memoryMs: number;
  /** Oldest news first. */
  readonly #records = new RecentMap<Felt, SenderRecord>(CAPACITY);

  /**
   * @param nowMs - a clock that never goes back, in milliseconds
   * @param memoryMs - a record without news for this long counts as none
   */
  constructor(nowMs: () => number, memoryMs: number) {
    this.#nowMs = nowMs;
    this.#memoryMs = memoryMs;
  }

  /** @param hasAccount - asked only of senders without a record */
  gradeOf(sender: Felt, hasAccount: (sender: Felt) => boolean): Grade {
    const score = this.#scoreOf(sender);
    if (score > 0) return "proven";
    if (score < 0) return "doubtful";
    return hasAccount(sender) ? "plain" : "doubtful";
  }

  /** A transaction of the sender was taken. */
  succeeded(sender: Felt): void {
    this.#note(sender, this.#scoreOf(sender) + 1);
  }

  /** Work was done for a transaction of the sender that nobody pays for. */
  failed(sender: Felt): void {
    this.#note(sender, this.#scoreOf(sender) - FAILURE);
  }

  #scoreOf(sender: Felt): number {
    const record = this.#records.get(sender);
    return record === undefined || this.#nowMs() - record.atMs > this.#memoryMs ? 0 : record.score;
  }

  #note(sender: Felt, score: number): void {
    this.#records.set(sender, {
      score: Math.max(WORST, Math.min(BEST, score)),
      atMs: this.#nowMs(),
    });
  }
}
