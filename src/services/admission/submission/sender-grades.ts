import { type Felt, RecentMap } from "#base/primitives/index.ts";

/** In whose name, and from where, something was submitted. */
export interface Submitter {
  readonly sender: Felt;
  /** Address of the client, as the API makes it; empty for the node itself. */
  readonly client: string;
}

/**
 * What is known of a submitter, best first: *proven* senders had a transaction taken lately, *plain* ones
 * have an account and no record, *doubtful* ones have no account yet, were refused lately, or have no
 * record and come from an address from which others were refused lately.
 */
export const GRADES = ["proven", "plain", "doubtful"] as const;

/** See {@link GRADES}. */
export type Grade = (typeof GRADES)[number];

/** Grades from the worst up to `grade`. */
export function worseFirst(grade: Grade): readonly Grade[] {
  switch (grade) {
    case "proven":
      return ["doubtful", "plain", "proven"];
    case "plain":
      return ["doubtful", "plain"];
    case "doubtful":
      return ["doubtful"];
  }
}

/** Senders, and addresses, that are remembered. */
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
 * How the latest submissions in each sender's name, and from each address, ended. Senders are not
 * authenticated, and clients of a proxy share its address: a bad record may be somebody else's doing, so
 * that it costs precedence and never the service. A good record of a sender outweighs its address.
 */
export class SenderGrades {
  readonly #senders: Records<Felt>;
  readonly #clients: Records<string>;

  /**
   * @param nowMs - a clock that never goes back, in milliseconds
   * @param memoryMs - a record without news for this long counts as none
   */
  constructor(nowMs: () => number, memoryMs: number) {
    this.#senders = new Records(nowMs, memoryMs);
    this.#clients = new Records(nowMs, memoryMs);
  }

  /** @param hasAccount - asked only of senders without a record, from addresses without a bad one */
  gradeOf(submitter: Submitter, hasAccount: (sender: Felt) => boolean): Grade {
    const { sender } = submitter;
    if (this.#senders.scoreOf(sender) > 0) return "proven";
    return !this.isBad(submitter) && hasAccount(sender) ? "plain" : "doubtful";
  }

  /** Whether a bad record makes the submitter doubtful. */
  isBad({ sender, client }: Submitter): boolean {
    const score = this.#senders.scoreOf(sender);
    return score < 0 || (score === 0 && this.#clients.scoreOf(client) < 0);
  }

  /** A transaction was taken. */
  succeeded({ sender, client }: Submitter): void {
    this.#senders.add(sender, 1);
    this.#clients.add(client, 1);
  }

  /** Work was done for a transaction that nobody pays for. */
  failed({ sender, client }: Submitter): void {
    this.#senders.add(sender, -FAILURE);
    this.#clients.add(client, -FAILURE);
  }
}

/** Scores by key; the one not heard of for longest is forgotten first. */
class Records<Key> {
  readonly #nowMs: () => number;
  readonly #memoryMs: number;
  readonly #records = new RecentMap<Key, SenderRecord>(CAPACITY);

  constructor(nowMs: () => number, memoryMs: number) {
    this.#nowMs = nowMs;
    this.#memoryMs = memoryMs;
  }

  /** Score from {@link WORST} to {@link BEST}; 0 without a record. */
  scoreOf(key: Key): number {
    const record = this.#records.get(key);
    return record === undefined || this.#nowMs() - record.atMs > this.#memoryMs ? 0 : record.score;
  }

  add(key: Key, change: number): void {
    const score = Math.max(WORST, Math.min(BEST, this.scoreOf(key) + change));
    this.#records.set(key, { score, atMs: this.#nowMs() });
  }
}
