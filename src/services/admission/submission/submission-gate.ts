import type { SubmitOutcome } from "../mempool/index.ts";
import { type Felt, RecentMap } from "#base/primitives/index.ts";
import { FairQueue, type Party, type Waiting } from "./fair-queue.ts";
import {
  type Grade,
  SenderGrades,
  type Submitter,
  VALIDATION_MEMORY_MS,
  worseFirst,
} from "./sender-grades.ts";

/** Limits of submissions that wait to be validated. */
export interface SubmissionLimits {
  readonly maxCount: number;
  readonly maxSizeBytes: number;
  /** Maximum share of `maxCount` for all doubtful senders together. */
  readonly maxDoubtfulCount: number;
}

/** Default limits: one to four seconds of validation. */
export const SUBMISSION_LIMITS: SubmissionLimits = {
  maxCount: 4096,
  maxSizeBytes: 32 << 20,
  maxDoubtfulCount: 1024,
};

/** Dependencies of {@link SubmissionGate}. */
export interface SubmissionGateDeps {
  /** Sends a submission to the validating thread. */
  readonly send: (id: number, bytes: Uint8Array, submitter: Submitter) => void;
  /** Whether an account is deployed at the address; called only while others are queued. */
  readonly hasAccount: (address: Felt) => boolean;
  /** A monotonic clock, in milliseconds. */
  readonly nowMs: () => number;
  /** Returns a unique submission id. */
  readonly nextId: () => number;
  /** Whether senders of an address share one quota of time, except proven ones; else each has its own. */
  readonly sharesByClient: boolean;
  readonly limits: SubmissionLimits;
}

/** Maximum submissions handed out and not validated: keeps the validator busy between messages. */
const MAX_OUTSTANDING = 32;

/** Work handed out ahead, in milliseconds: the longest wait of the best sender behind others. */
const OUTSTANDING_MS = 25;

/** Weight of the newest cost in the average. */
const COST_WEIGHT = 1 / 16;

/** Weight of a sender's newest cost in the estimate for its next submission. */
const SENDER_COST_WEIGHT = 1 / 8;

/** Maximum senders whose costs are kept; evicts the least recently validated. */
const MAX_SENDERS = 10_000;

/**
 * Cost deviation from the estimate that is charged immediately, in milliseconds. Smaller ones are chance, and
 * only adjust the sender's next estimates: a millisecond in which the thread did other work equals several
 * submissions, for which the sender would wait while all others have their turn.
 */
const SURPRISE_MS = 5;

/** Maximum retry delay returned to clients. */
const MAX_RETRY_SECONDS = 60;

interface Submission {
  readonly submitter: Submitter;
  readonly bytes: Uint8Array;
  readonly answer: (outcome: SubmitOutcome) => void;
}

interface Outstanding {
  readonly answer: Submission["answer"];
  readonly submitter: Submitter;
  readonly party: Party;
  readonly grade: Grade;
  /** Estimate charged when it was handed out; `undefined` once the real cost is known. */
  estimateMs: number | undefined;
}

/**
 * Passes submissions to the validating thread: a bounded, fair queue in front of it, with a few submissions
 * in flight. Without room, submissions of the worst and largest senders are refused as busy.
 */
export class SubmissionGate {
  readonly #deps: SubmissionGateDeps;
  readonly #limits: SubmissionLimits;
  readonly #queue = new FairQueue<Submission>();
  readonly #grades: SenderGrades;
  readonly #outstanding = new Map<number, Outstanding>();
  readonly #expectedMs = new RecentMap<Party, number>(MAX_SENDERS);
  #validating = 0;
  #averageMs = 1;
  /** Response to all further submissions, once stopped. */
  #end: SubmitOutcome | undefined;

  constructor(deps: SubmissionGateDeps) {
    this.#deps = deps;
    this.#limits = deps.limits;
    this.#grades = new SenderGrades(deps.nowMs, VALIDATION_MEMORY_MS);
  }

  /** Count and total bytes of queued submissions. */
  get waiting(): { readonly count: number; readonly sizeBytes: number } {
    return { count: this.#queue.count, sizeBytes: this.#queue.sizeBytes };
  }

  /**
   * Enqueues a submission.
   *
   * @returns its outcome: the validator's, or a refusal because the node is busy or stopping
   */
  submit(submitter: Submitter, bytes: Uint8Array): Promise<SubmitOutcome> {
    if (this.#end !== undefined) return Promise.resolve(this.#end);
    return new Promise((answer) => {
      // Without a queue no sender needs precedence.
      const isFree = this.#queue.count === 0 && this.#hasRoom();
      const grade = isFree ? "plain" : this.#gradeOf(submitter);
      const item: Submission = { submitter, bytes, answer };
      const sender = this.#partyOf(submitter, grade);
      const waiting = { sender, sizeBytes: bytes.byteLength, item };
      if (isFree || this.#makeRoom(waiting, grade)) {
        this.#queue.push(waiting, grade);
        this.#handOut();
      } else answer(this.#busy());
    });
  }

  /** Records that a submission was checked in `costMs` of validator time; its outcome may follow later. */
  validated(id: number, costMs: number): void {
    const entry = this.#outstanding.get(id);
    if (entry?.estimateMs === undefined) return;
    const { party, grade, estimateMs } = entry;
    const surpriseMs = costMs - estimateMs;
    if (Math.abs(surpriseMs) > SURPRISE_MS) this.#queue.charge(party, grade, surpriseMs);
    else {
      const expectedMs = this.#expectedMs.get(party) ?? this.#averageMs;
      this.#expectedMs.set(party, expectedMs + (costMs - expectedMs) * SENDER_COST_WEIGHT);
    }
    this.#averageMs += (costMs - this.#averageMs) * COST_WEIGHT;
    entry.estimateMs = undefined;
    this.#validating--;
    this.#handOut();
  }

  settled(id: number, outcome: SubmitOutcome): void {
    const entry = this.#outstanding.get(id);
    if (entry === undefined) return;
    this.#outstanding.delete(id);
    const { submitter, party, answer } = entry;
    if (outcome.kind === "accepted") this.#grades.succeeded(submitter);
    else if (isUnpaid(outcome)) this.#grades.failed(submitter);
    // Queued submissions of a shared address are regraded when their turn comes.
    if (party === submitter.sender && this.#queue.countFrom(party) > 0) {
      this.#queue.regrade(party, this.#gradeOf(submitter));
      this.#trimDoubtful();
    }
    answer(outcome);
  }

  /** Answers all queued and all further submissions with `outcome`. */
  stop(outcome: SubmitOutcome = STOPPING): void {
    this.#end = outcome;
    for (;;) {
      const waiting = this.#queue.shift();
      if (waiting === undefined) return;
      waiting.item.answer(outcome);
    }
  }

  /** Answers the submissions in flight with `outcome`, because the validating thread has died. */
  interrupt(outcome: SubmitOutcome): void {
    const answers = [...this.#outstanding.values()].map(({ answer }) => answer);
    this.#outstanding.clear();
    this.#validating = 0;
    for (const answer of answers) answer(outcome);
    this.#handOut();
  }

  #gradeOf(submitter: Submitter): Grade {
    return this.#grades.gradeOf(submitter, this.#deps.hasAccount);
  }

  /** Senders of an address with and without a bad record are two parties, since a lane has one grade. */
  #partyOf({ sender, client }: Submitter, grade: Grade): Party {
    if (!this.#deps.sharesByClient || grade === "proven") return sender;
    return grade === "doubtful" ? `${grade} ${client}` : client;
  }

  #hasRoom(): boolean {
    const fits = Math.ceil(OUTSTANDING_MS / Math.max(this.#averageMs, 0.01));
    return this.#validating < Math.max(2, Math.min(MAX_OUTSTANDING, fits));
  }

  #handOut(): void {
    while (this.#hasRoom()) {
      this.#demote();
      const waiting = this.#queue.shift();
      if (waiting === undefined) return;
      const { sender: party, grade, item } = waiting;
      const { submitter, bytes, answer } = item;
      const id = this.#deps.nextId();
      const estimateMs = this.#expectedMs.get(party) ?? this.#averageMs;
      this.#queue.charge(party, grade, estimateMs);
      this.#outstanding.set(id, { answer, submitter, party, grade, estimateMs });
      this.#validating++;
      this.#deps.send(id, bytes, submitter);
    }
  }

  /** Regrades the next submitter if others at its address got it a bad record while it was queued. */
  #demote(): void {
    for (;;) {
      const next = this.#queue.peek();
      if (next?.grade !== "plain" || !this.#grades.isBad(next.item.submitter)) return;
      this.#queue.regrade(next.sender, "doubtful");
      this.#trimDoubtful();
    }
  }

  /** Makes room for a submission at the expense of worse and larger senders. @returns whether it fits */
  #makeRoom(waiting: Waiting<Submission>, grade: Grade): boolean {
    const { maxCount, maxSizeBytes, maxDoubtfulCount } = this.#limits;
    const queue = this.#queue;
    const { sender, sizeBytes } = waiting;
    if (grade === "doubtful" && queue.countOf(grade) >= maxDoubtfulCount) {
      if (!this.#displace(sender, ["doubtful"], "count", 1)) return false;
    }
    if (queue.count >= maxCount && !this.#displace(sender, worseFirst(grade), "count", 1)) {
      return false;
    }
    while (queue.sizeBytes + sizeBytes > maxSizeBytes) {
      if (!this.#displace(sender, worseFirst(grade), "sizeBytes", sizeBytes)) return false;
    }
    return true;
  }

  /**
   * Drops the newest submission of the largest sender of the worst grade present.
   *
   * @param grades - grades that `sender` may displace, worst first; the last is its own grade, from which
   * only senders with more queued than `sender` would have are displaced
   */
  #displace(
    sender: Party,
    grades: readonly Grade[],
    measure: "count" | "sizeBytes",
    added: number,
  ): boolean {
    const queue = this.#queue;
    const sizeOf = (other: Party): number =>
      measure === "count" ? queue.countFrom(other) : queue.sizeBytesFrom(other);
    for (const [i, grade] of grades.entries()) {
      const largest = queue.largestOf(grade, measure);
      if (largest === undefined) continue;
      const isOwnGrade = i === grades.length - 1;
      if (isOwnGrade && sizeOf(largest) <= sizeOf(sender) + added) return false;
      queue.dropFrom(largest)?.item.answer(this.#busy());
      return true;
    }
    return false;
  }

  /** Enforces the limit of doubtful submissions after a sender with several queued became doubtful. */
  #trimDoubtful(): void {
    while (this.#queue.countOf("doubtful") > this.#limits.maxDoubtfulCount) {
      const largest = this.#queue.largestOf("doubtful", "count");
      if (largest === undefined) return;
      this.#queue.dropFrom(largest)?.item.answer(this.#busy());
    }
  }

  #busy(): SubmitOutcome {
    const count = this.#queue.count;
    const seconds = Math.ceil((count * this.#averageMs) / 1000);
    const retryAfterSeconds = Math.max(1, Math.min(MAX_RETRY_SECONDS, seconds));
    return {
      kind: "rejected",
      code: "UNEXPECTED_ERROR",
      reason: `the node is busy: ${count} transactions wait to be validated; try again in ${retryAfterSeconds} s`,
      retryAfterSeconds,
    };
  }
}

/** Whether unpaid work was done. A busy or full node did none; a duplicate is paid for by the first. */
function isUnpaid(outcome: Extract<SubmitOutcome, { readonly kind: "rejected" }>): boolean {
  if (outcome.retryAfterSeconds !== undefined || outcome.isNodeFull === true) return false;
  return outcome.code !== "DUPLICATE_TX";
}

const STOPPING: SubmitOutcome = {
  kind: "rejected",
  code: "UNEXPECTED_ERROR",
  reason: "the node is stopping",
};
