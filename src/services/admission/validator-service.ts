import type { Felt, Port, Timer } from "#base/primitives/index.ts";
import type { ReadPosition } from "#engine/state/index.ts";
import type { PositionView } from "./position-gate.ts";
import type { SubmissionRequest } from "./requests.ts";
import type { CheckedSubmission } from "./checked-submission.ts";
import { SubmissionChecker, type SubmissionCheckerDeps } from "./submission-checker.ts";
import { WorkLoop } from "./work-loop.ts";

/** To a validator: a submission of a sender that is its own. */
export type ToValidator = Pick<SubmissionRequest, "kind" | "id" | "bytes" | "position">;

/** What the mempool's owner tells a validator, once and before it validates anything. */
export interface AdmissionToValidator {
  readonly kind: "fatal";
  /** Transactions that a part of the node died of: they are not validated. */
  readonly hashes: readonly Felt[];
}

/** What a validator tells the mempool's owner. */
export interface ValidatorToAdmission {
  readonly kind: "checked";
  /** Of the submission. */
  readonly id: number;
  /** Time that the check took. */
  readonly costMs: number;
  readonly checked: CheckedSubmission;
  /** Submissions that the validator has left to check. */
  readonly waiting: number;
  /** What the validator had seen: the owner does not decide on less. */
  readonly position: ReadPosition;
}

/** What a validator works with. */
export interface ValidatorServiceDeps extends Omit<SubmissionCheckerDeps, "isFatal"> {
  readonly ports: {
    readonly main: Pick<Port<ToValidator, never>, "listen">;
    readonly admission: Port<AdmissionToValidator, ValidatorToAdmission>;
  };
  /** What this thread has seen of the chain. */
  readonly feed: PositionView;
  readonly timer: Timer;
  /** Is told of what ends the service: it cannot go on. */
  readonly fail: (error: unknown) => void;
}

/**
 * Checks the submissions of its senders in the order in which they come, and hands all of them to the
 * mempool's owner in that order, refused or not.
 */
export class ValidatorService {
  readonly #deps: ValidatorServiceDeps;
  readonly #fatal = new Set<Felt>();
  readonly #checker: SubmissionChecker;
  readonly #loop: WorkLoop<ToValidator>;

  constructor(deps: ValidatorServiceDeps) {
    this.#deps = deps;
    this.#checker = new SubmissionChecker({ ...deps, isFatal: (hash) => this.#fatal.has(hash) });
    this.#loop = new WorkLoop<ToValidator>({
      work: (submission) => this.#check(submission),
      afterEach: () => undefined,
      onFailure: deps.fail,
      nowMs: () => deps.timer.nowMs(),
    });
  }

  /** Hears of submissions once it knows what not to validate. */
  start(): void {
    const { main, admission } = this.#deps.ports;
    admission.listen(({ hashes }) => {
      for (const hash of hashes) this.#fatal.add(hash);
      main.listen((submission) => this.#take(submission));
    });
  }

  /** Forgets what waits: nobody was answered. */
  stop(): void {
    this.#loop.drop();
  }

  #take(submission: ToValidator): void {
    const { feed, fail } = this.#deps;
    const reached = feed.reach(submission.position);
    if (reached === undefined) this.#loop.push(submission);
    // In time or not: the newest state that this thread has is all that it can give.
    else void reached.then(() => this.#loop.push(submission)).catch(fail);
  }

  #check({ id, bytes }: ToValidator): void {
    const { ports, feed, timer } = this.#deps;
    const startedMs = timer.nowMs();
    const checked = this.#checker.check(bytes);
    const costMs = timer.nowMs() - startedMs;
    const { position } = feed;
    const waiting = this.#loop.size;
    ports.admission.send({ kind: "checked", id, costMs, checked, waiting, position });
  }
}
