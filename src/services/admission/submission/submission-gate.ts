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

/** Bounds of what waits to be validated. */
export interface SubmissionLimits {
  readonly maxCount: number;
  readonly maxSizeBytes: number;
  /** Most of `maxCount` that doubtful senders hold together. */
  readonly maxDoubtfulCount: number;
}

/** Default bounds: one to four seconds of validating. */
export const SUBMISSION_LIMITS: SubmissionLimits = {
  maxCount: 4096,
  maxSizeBytes: 32 << 20,
  maxDoubtfulCount: 1024,
};

/** What the gate works with. */
export interface SubmissionGateDeps {
  /** Hands a submission to whoever validates. */
  readonly send: (id: number, bytes: Uint8Array, submitter: Submitter) => void;
  /** Whether an account stands at the address; asked only while others wait. */
  readonly hasAccount: (address: Felt) => boolean;
  /** A clock that never goes back, in milliseconds. */
  readonly nowMs: () => number;
  /** Numbers of submissions, none twice. */
  readonly nextId: () => number;
  /** Whether all senders of an address have one share of the time, save proven ones; else each has one. */
  readonly sharesByClient: boolean;
  readonly limits: SubmissionLimits;
}

/** Most submissions handed out and not validated: the validator never runs dry between messages. */
const MAX_OUTSTANDING = 32;

/** Work handed out ahead, in milliseconds: how long the best sender waits behind others. */
const OUTSTANDING_MS = 25;

/** Weight of the newest cost in the average. */
const COST_WEIGHT = 1 / 16;

/** Weight of a sender's newest cost in what its next submission is expected to cost. */
const SENDER_COST_WEIGHT = 1 / 8;

/** Senders whose costs are remembered; the one that was validated longest ago is forgotten first. */
const MAX_SENDERS = 10_000;

/**
 * What costs so much more or less than expected is counted at once, in milliseconds. Less is a chance that
 * a sender pays over its next submissions: a millisecond in which the thread did something else is worth
 * several submissions, for which it would wait while all others have their turn.
 */
const SURPRISE_MS = 5;

/** Longest wait that is ever asked of a client. */
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
  /** What was counted when it was handed out; `undefined` once its real cost is known. */
  estimateMs: number | undefined;
}

/**
 * The way of submissions to the thread that validates: a bounded, fair queue in front of it, a few
 * submissions at a time in its hands. Without room, those of the worst and largest senders are
 * answered that the node is busy.
 */
export class SubmissionGate {
  readonly #deps: SubmissionGateDeps;
  readonly #limits: SubmissionLimits;
  readonly #queue = new FairQueue<Submission>();
  readonly #grades: SenderGrades;
  readonly #outstanding = new Map<number, Outstanding>();
  /** What a party's next submission is expected to cost. */
  readonly #expectedMs = new RecentMap<Party, number>(MAX_SENDERS);
  #validating = 0;
  #averageMs = 1;
  /** Answer to whatever comes from now on. */
  #end: SubmitOutcome | undefined;

  constructor(deps: SubmissionGateDeps) {
    this.#deps = deps;
    this.#limits = deps.limits;
    this.#grades = new SenderGrades(deps.nowMs, VALIDATION_MEMORY_MS);
  }

  /** Submissions that wait to be handed out, and their bytes. */
  get waiting(): { readonly count: number; readonly sizeBytes: number } {
    return { count: this.#queue.count, sizeBytes: this.#queue.sizeBytes };
  }

  /**
   * Puts a submission into the queue.
   *
   * @returns its outcome: the validator's, or that the node is busy or stopping
   */
  submit(submitter: Submitter, bytes: Uint8Array): Promise<SubmitOutcome> {
    if (this.#end !== undefined) return Promise.resolve(this.#end);
    return new Promise((answer) => {
      // Without a queue nobody has to be preferred.
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

  /** A submission was looked at: took `costMs` of the validator's time; its outcome may follow later. */
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

  /** The outcome of a submission. */
  settled(id: number, outcome: SubmitOutcome): void {
    const entry = this.#outstanding.get(id);
    if (entry === undefined) return;
    this.#outstanding.delete(id);
    const { submitter, party, answer } = entry;
    if (outcome.kind === "accepted") this.#grades.succeeded(submitter);
    else if (isUnpaid(outcome)) this.#grades.failed(submitter);
    // Others of an address are looked at when their turn comes.
    if (party === submitter.sender && this.#queue.countFrom(party) > 0) {
      this.#queue.regrade(party, this.#gradeOf(submitter));
      this.#trimDoubtful();
    }
    answer(outcome);
  }

  /** Answers everything that was not handed out yet, and whatever comes from now on, with `outcome`. */
  stop(outcome: SubmitOutcome = STOPPING): void {
    this.#end = outcome;
    for (;;) {
      const waiting = this.#queue.shift();
      if (waiting === undefined) return;
      waiting.item.answer(outcome);
    }
  }

  /** Whoever validates is gone with what it was handed: `outcome` is the answer to that. */
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

  /** Senders of an address with and without a bad record are two parties: a lane has one grade. */
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

  /** Whoever comes next may have got a bad record since it waits, by submissions of others of its address. */
  #demote(): void {
    for (;;) {
      const next = this.#queue.peek();
      if (next?.grade !== "plain" || !this.#grades.isBad(next.item.submitter)) return;
      this.#queue.regrade(next.sender, "doubtful");
      this.#trimDoubtful();
    }
  }

  /** Makes room for a submission at the cost of worse and larger senders. @returns whether it fits */
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
   * Drops the newest submission of the largest sender of the worst grade that has any.
   *
   * @param grades - whom `sender` may displace, worst first; the last is its own grade, of which only
   *   senders go that have more waiting than `sender` would have
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

  /** A sender that has just become doubtful may bring more along than doubtful ones may have. */
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

/** Whether work was done that no fee pays. A busy or full node did none; a duplicate's fee is that of the first. */
function isUnpaid(outcome: Extract<SubmitOutcome, { readonly kind: "rejected" }>): boolean {
  if (outcome.retryAfterSeconds !== undefined || outcome.isNodeFull === true) return false;
  return outcome.code !== "DUPLICATE_TX";
}

const STOPPING: SubmitOutcome = {
  kind: "rejected",
  code: "UNEXPECTED_ERROR",
  reason: "the node is stopping",
};
