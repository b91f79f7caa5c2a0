import { OriginError } from "#base/errors/index.ts";
import type { ClassContents } from "#protocol/chain/index.ts";
import type { Timer } from "#base/primitives/index.ts";
import type { Refusal } from "./admission-rules.ts";
import type { Admitted, Admitter, SubmissionMetadata } from "./admitter.ts";
import { EarlyInvokes } from "./early-invokes.ts";
import type { ExecutorHandler } from "./executor-handler.ts";
import type { GroupCommit } from "./group-commit.ts";
import type { Departure } from "./rejection-reasons.ts";
import type { AdmissionReply } from "./requests.ts";
import type { CheckedSubmission } from "./checked-submission.ts";
import { lostOriginRefusal } from "./origin-refusal.ts";
import { type MissingValues, OriginRetries } from "./origin-retries.ts";
import { senderOf } from "./submission/received.ts";
import { WorkLoop } from "./work-loop.ts";

/** A submission that is not yet in the mempool. */
export interface Submission extends SubmissionMetadata {
  readonly id: number;
  readonly bytes: Uint8Array;
}

/** A submission that a validator has checked. */
export interface CheckedArrival {
  readonly id: number;
  readonly checked: CheckedSubmission;
  readonly costMs: number;
}

/** Dependencies of {@link SubmissionDesk}. */
export interface SubmissionDeskDeps {
  readonly admitter: Pick<Admitter, "admit" | "admitChecked" | "refusalOf">;
  readonly commit: Pick<GroupCommit<Departure>, "add" | "closeIfDue">;
  readonly executor: Pick<ExecutorHandler, "keepValidation">;
  readonly reply: (message: AdmissionReply) => void;
  /** Values of a fork's origin. */
  readonly missing: MissingValues;
  readonly timer: Timer;
  readonly onFailure: (error: unknown) => void;
}

/** Attempts after which a validation that lacks values of a fork's origin moves to a thread that waits. */
const PATIENT_ROUNDS = 8;

/** Processes submissions one by one, and answers those that will not be received. */
export class SubmissionDesk {
  readonly #deps: SubmissionDeskDeps;
  readonly #loop: WorkLoop<() => void>;
  readonly #early: EarlyInvokes<Submission>;
  /** Repeats work on submissions, and other work of this thread, that lacks values of a fork's origin. */
  readonly retries: OriginRetries;

  constructor(deps: SubmissionDeskDeps) {
    this.#deps = deps;
    const { timer, commit, onFailure } = deps;
    this.#loop = new WorkLoop<() => void>({
      work: (admit) => admit(),
      afterEach: (idle) => commit.closeIfDue(idle),
      onFailure,
      nowMs: () => timer.nowMs(),
    });
    this.retries = new OriginRetries(deps.missing, (repeat) => this.#loop.push(repeat));
    this.#early = new EarlyInvokes<Submission>({
      timer,
      release: (submission) => this.push({ ...submission, hasWaited: true }),
    });
  }

  /** Number of queued submissions, not counting early ones. */
  get size(): number {
    return this.#loop.size;
  }

  get isIdle(): boolean {
    return this.#loop.isIdle;
  }

  push(submission: Submission): void {
    this.#deps.missing.announce(submission.bytes);
    this.#loop.push(() =>
      this.retries.run({
        senderOf: () => senderOf(submission.bytes),
        work: (round) => this.#admit(submission, round),
        lost: (error) => this.#refuse(submission.id, error),
      }),
    );
  }

  /** Enqueues a submission that a validator has checked. */
  pushChecked(arrival: CheckedArrival): void {
    const { id, checked } = arrival;
    this.#loop.push(() =>
      this.retries.run({
        senderOf: () => (checked.kind === "checked" ? checked.entry.sender : undefined),
        work: (round) => this.#admitChecked(arrival, round),
        lost: (error) => this.#refuse(id, error),
      }),
    );
  }

  /**
   * Judges a hashed declaration before it is compiled, as {@link Admitter.refusalOf}.
   *
   * @param judged - receives the refusal, or `null`; later if values of a fork's origin are missing
   */
  judge(
    bytes: Uint8Array,
    classSizeBytes: number,
    judged: (refusal: Refusal | null) => void,
  ): void {
    const { admitter } = this.#deps;
    this.retries.run({
      senderOf: () => senderOf(bytes),
      work: () => judged(admitter.refusalOf(bytes, classSizeBytes) ?? null),
      lost: (error) => judged(lostOriginRefusal(error)),
    });
  }

  /** Records that another thread's check of a submission has ended. */
  checked(id: number): void {
    this.#early.checked(id);
  }

  /** Discards all queued submissions, unanswered. */
  stop(): void {
    this.#early.stop();
    this.retries.stop();
    this.#loop.drop();
  }

  #refuse(id: number, error: OriginError): void {
    this.#early.checked(id);
    this.#deps.reply({ kind: "submitted", outcomes: [{ id, outcome: lostOriginRefusal(error) }] });
  }

  #admit(submission: Submission, round: number): void {
    const { id, bytes, validation, declared } = submission;
    const { admitter, reply, timer } = this.#deps;
    const startedMs = timer.nowMs();
    const validated = (): void =>
      reply({ kind: "validated", id, costMs: timer.nowMs() - startedMs });
    let admitted: Admitted;
    try {
      admitted = admitter.admit(bytes, { ...submission, mayWait: round > PATIENT_ROUNDS });
    } catch (error) {
      // Others may be submitted while this one waits for values of a fork's origin.
      if (error instanceof OriginError) validated();
      throw error;
    }
    if (validation !== undefined) this.#early.checked(id);
    validated();
    this.#settle(id, admitted, declared);
  }

  #admitChecked({ id, checked, costMs }: CheckedArrival, round: number): void {
    const admitted = this.#deps.admitter.admitChecked(checked, round > PATIENT_ROUNDS);
    // Charge the validator's time, which its senders share; the work done here is negligible.
    this.#deps.reply({ kind: "validated", id, costMs });
    this.#settle(id, admitted, undefined);
  }

  #settle(id: number, admitted: Admitted, declared: ClassContents | undefined): void {
    const { commit, executor, reply } = this.#deps;
    switch (admitted.kind) {
      case "undecided": {
        const { bytes, isSenderUndeployed, deploys } = admitted;
        if (deploys !== null) this.#early.checking(id, deploys);
        reply({ kind: "slow", id, bytes, isSenderUndeployed });
        break;
      }
      case "refused":
        reply({ kind: "submitted", outcomes: [{ id, outcome: admitted.refusal }] });
        break;
      case "early": {
        const { sender, bytes } = admitted;
        this.#early.hold(sender, { id, bytes }, bytes.length);
        break;
      }
      case "taken": {
        const { entry, outcome, rejections, prevalidated } = admitted;
        if (prevalidated !== undefined) executor.keepValidation(entry, prevalidated);
        commit.add({ id, outcome, entry, declared, dropped: rejections });
        if (entry.kind === "DEPLOY_ACCOUNT") this.#early.arrived(entry.sender);
        break;
      }
    }
  }
}
