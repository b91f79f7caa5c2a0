import type { Felt, Port, Timer } from "#base/primitives/index.ts";
import type { ReadPosition } from "#engine/state/index.ts";
import type { PositionView } from "./position-gate.ts";
import type { SubmissionRequest } from "./requests.ts";
import type { CheckedSubmission } from "./checked-submission.ts";
import { SubmissionChecker, type SubmissionCheckerDeps } from "./submission-checker.ts";
import { lostOriginRefusal } from "./origin-refusal.ts";
import { type MissingValues, OriginRetries } from "./origin-retries.ts";
import { senderOf } from "./submission/received.ts";
import { WorkLoop } from "./work-loop.ts";

/** Sent to a validator: a submission of one of its senders. */
export type ToValidator = Pick<SubmissionRequest, "kind" | "id" | "bytes" | "position">;

/** Sent once by the mempool's owner, before the validator validates anything. */
export interface AdmissionToValidator {
  readonly kind: "fatal";
  /** Transactions that crashed a part of the node: they are not validated. */
  readonly hashes: readonly Felt[];
}

/** Sent by a validator to the mempool's owner. */
export interface ValidatorToAdmission {
  readonly kind: "checked";
  readonly id: number;
  readonly costMs: number;
  readonly checked: CheckedSubmission;
  /** Submissions that the validator still has to check. */
  readonly waiting: number;
  /** The validator's position; the owner does not decide on an older state. */
  readonly position: ReadPosition;
}

/** Dependencies of {@link ValidatorService}. */
export interface ValidatorServiceDeps extends Omit<SubmissionCheckerDeps, "isFatal"> {
  readonly ports: {
    readonly main: Pick<Port<ToValidator, never>, "listen">;
    readonly admission: Port<AdmissionToValidator, ValidatorToAdmission>;
  };
  /** This thread's position in the chain. */
  readonly feed: PositionView;
  /** Values of a fork's origin. */
  readonly missing: MissingValues;
  readonly timer: Timer;
  /** Reports a fatal error: the service must stop. */
  readonly fail: (error: unknown) => void;
}

/**
 * Checks the submissions of its senders in arrival order, and forwards all of them to the mempool's owner in
 * that order, refused or not.
 */
export class ValidatorService {
  readonly #deps: ValidatorServiceDeps;
  readonly #fatal = new Set<Felt>();
  readonly #checker: SubmissionChecker;
  readonly #loop: WorkLoop<() => void>;
  readonly #retries: OriginRetries;

  constructor(deps: ValidatorServiceDeps) {
    this.#deps = deps;
    this.#checker = new SubmissionChecker({ ...deps, isFatal: (hash) => this.#fatal.has(hash) });
    this.#loop = new WorkLoop<() => void>({
      work: (check) => check(),
      afterEach: () => undefined,
      onFailure: deps.fail,
      nowMs: () => deps.timer.nowMs(),
    });
    this.#retries = new OriginRetries(deps.missing, (repeat) => this.#loop.push(repeat));
  }

  /** Starts to listen for submissions once it knows which transactions not to validate. */
  start(): void {
    const { main, admission } = this.#deps.ports;
    admission.listen(({ hashes }) => {
      for (const hash of hashes) this.#fatal.add(hash);
      main.listen((submission) => this.#take(submission));
    });
  }

  /** Discards queued submissions, unanswered. */
  stop(): void {
    this.#retries.stop();
    this.#loop.drop();
  }

  #take(submission: ToValidator): void {
    const { feed, fail } = this.#deps;
    const reached = feed.reach(submission.position);
    if (reached === undefined) this.#push(submission);
    // In time or not: this thread's newest state is the best available.
    else void reached.then(() => this.#push(submission)).catch(fail);
  }

  #push(submission: ToValidator): void {
    const { id, bytes } = submission;
    let costMs = 0;
    this.#deps.missing.announce(bytes);
    this.#loop.push(() =>
      this.#retries.run({
        senderOf: () => senderOf(bytes),
        work: () => {
          const startedMs = this.#deps.timer.nowMs();
          let checked: CheckedSubmission;
          try {
            checked = this.#checker.check(bytes);
          } finally {
            // The time until values have arrived does not count.
            costMs += this.#deps.timer.nowMs() - startedMs;
          }
          this.#report(id, costMs, checked);
        },
        lost: (error) =>
          this.#report(id, costMs, { kind: "refused", refusal: lostOriginRefusal(error) }),
      }),
    );
  }

  #report(id: number, costMs: number, checked: CheckedSubmission): void {
    const { ports, feed } = this.#deps;
    const { position } = feed;
    const waiting = this.#loop.size;
    ports.admission.send({ kind: "checked", id, costMs, checked, waiting, position });
  }
}
