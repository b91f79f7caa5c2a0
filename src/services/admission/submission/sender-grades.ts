import { type Felt, RecentMap } from "#base/primitives/index.ts";

/** Sender and origin of a submission. */
export interface Submitter {
  readonly sender: Felt;
  /** Client address, in the API's form; empty for the node itself. */
  readonly client: string;
}

/**
 * Grades of submitters, best first. *proven*: a recent transaction of the sender was accepted. *plain*: has
 * an account and no record. *doubtful*: has no account yet, was refused recently, or has no record and
 * submits from an address with recent refusals.
 */
export const GRADES = ["proven", "plain", "doubtful"] as const;

/** Trust in a submitter by its recent record: `proven`, `plain` or `doubtful`; {@link GRADES} says when. */
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

/** Maximum senders, and maximum addresses, kept. */
const CAPACITY = 10_000;

/** Time without submissions after which the record of a sender or client expires; milliseconds. */
export const VALIDATION_MEMORY_MS = 60_000;

/** Bounds of a score: one success removes most of a bad record, a few failures remove a good one. */
const BEST = 3;
const WORST = -4;

/** Score subtracted by a failed validation; a success adds 1. */
const FAILURE = 2;

interface SenderRecord {
  readonly score: number;
  readonly atMs: number;
}

/**
 * Outcomes of the latest submissions per sender and per client address. Senders are not authenticated, and
 * clients of a proxy share its address, so a bad record may be caused by others. It therefore costs only
 * precedence, never the service. A sender's good record outweighs its address.
 */
export class SenderGrades {
  readonly #senders: Records<Felt>;
  readonly #clients: Records<string>;

  /**
   * @param nowMs - a monotonic clock, in milliseconds
   * @param memoryMs - a record expires after this long without news
   */
  constructor(nowMs: () => number, memoryMs: number) {
    this.#senders = new Records(nowMs, memoryMs);
    this.#clients = new Records(nowMs, memoryMs);
  }

  /** @param hasAccount - called only for senders without a record, from addresses without a bad one */
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

  /** Records an accepted transaction. */
  succeeded({ sender, client }: Submitter): void {
    this.#senders.add(sender, 1);
    this.#clients.add(client, 1);
  }

  /** Records work on a transaction that pays no fee. */
  failed({ sender, client }: Submitter): void {
    this.#senders.add(sender, -FAILURE);
    this.#clients.add(client, -FAILURE);
  }
}

/** Scores by key; evicts the least recently updated first. */
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
