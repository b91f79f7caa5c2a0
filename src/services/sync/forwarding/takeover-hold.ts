import type { Felt, Timer } from "#base/primitives/index.ts";
import type { SubmitAnswer, SubmitRefusal } from "./gateway-codes.ts";
import { type HeldSubmission, HeldQueues, type HoldableSubmission } from "./held-queues.ts";

/** Limits of the submissions that wait for a sequencer. */
export interface TakeoverHoldLimits {
  /** Maximum time from a submission's arrival to its response, in milliseconds; 0 to hold none. */
  readonly maxMs: number;
  /** Maximum number of held submissions; the second half is for senders that have an account. */
  readonly maxCount: number;
  /** Maximum total size of held submissions in bytes. */
  readonly maxBytes: number;
  /** Maximum number of held submissions of one account. */
  readonly maxOfSender: number;
}

/** Limits of a node, except for the time: half of its connections stay free for reads. */
export const TAKEOVER_HOLD_LIMITS: Omit<TakeoverHoldLimits, "maxMs"> = {
  maxCount: 400,
  maxBytes: 64 << 20,
  maxOfSender: 64,
};

/** Dependencies of a {@link TakeoverHold}. */
export interface TakeoverHoldDeps {
  readonly limits: TakeoverHoldLimits;
  /** Called with the number of held submissions whenever it changes. */
  readonly onHeld: (count: number) => void;
  readonly timer: Timer;
}

/** Interval between two attempts while no sequencer responds. */
const PROBE_MS = 250;

/** Delay after which a client may retry a submission that was not accepted. */
const RETRY_SECONDS = 2;

/**
 * Holds submissions while the chain changes its leader: those that reached no sequencer, and those whose
 * response was lost. Resending such a transaction is safe: its hash identifies it, and a sequencer that
 * already has it says so, which counts as received.
 *
 * While no sequencer responds, one held submission at a time is attempted and the others wait. Once one is
 * decided, all others are attempted as well; those of one account run one after the other, by nonce.
 */
export class TakeoverHold {
  readonly #deps: TakeoverHoldDeps;
  readonly #held = new HeldQueues();
  /** Reason why no sequencer decides; `undefined` while one does. */
  #reason: string | undefined;
  #cancelProbe: (() => void) | undefined;
  #isStopped = false;

  constructor(deps: TakeoverHoldDeps) {
    this.#deps = deps;
  }

  /** Submits, and returns once a sequencer has decided or the submission's time is over. */
  async run(submission: HoldableSubmission): Promise<SubmitAnswer> {
    const { timer, limits } = this.#deps;
    const untilMs = timer.nowMs() + limits.maxMs;
    const hasToWait = this.#reason !== undefined || this.#held.countOf(submission.sender) > 0;
    if (hasToWait && !this.#isStopped && limits.maxMs > 0) {
      return this.#hold(submission, untilMs, false);
    }
    const answer = await submission.attempt();
    if (!isLost(answer)) return answer;
    this.#reason = answer.reason;
    return this.#hold(submission, untilMs, answer.lost === "unanswered");
  }

  /** Answers all held submissions: the node is stopping. */
  stop(): void {
    this.#isStopped = true;
    this.#cancelProbe?.();
    for (const held of this.#held.all()) held.settle(undecided("the node is stopping", held));
  }

  #hold(
    submission: HoldableSubmission,
    untilMs: number,
    mayBeReceived: boolean,
  ): Promise<SubmitAnswer> | SubmitAnswer {
    const { timer, onHeld } = this.#deps;
    const leftMs = untilMs - timer.nowMs();
    const isLate = this.#isStopped || leftMs <= 0;
    const sizeBytes = isLate ? 0 : submission.sizeBytes();
    const refusal = isLate ? this.#reason : this.#refusal(submission, sizeBytes);
    if (refusal !== undefined) return undecided(refusal, { mayBeReceived, isInFlight: false });
    const { signal } = submission;
    const { promise, resolve, reject } = Promise.withResolvers<SubmitAnswer>();
    const end = (): void => {
      cancel();
      signal.removeEventListener("abort", leave);
      if (this.#held.delete(held)) onHeld(this.#held.count);
    };
    const held: HeldSubmission = {
      ...{ submission, sizeBytes, mayBeReceived, isInFlight: false },
      settle(answer) {
        end();
        resolve(answer);
      },
      fail(error) {
        end();
        reject(error);
      },
    };
    const leave = (): void => held.settle(undecided("the client is gone", held));
    const cancel = timer.after(leftMs, () => held.settle(undecided(this.#expiry(), held)));
    this.#held.add(held);
    onHeld(this.#held.count);
    signal.addEventListener("abort", leave);
    if (signal.aborted) leave();
    this.#arm();
    return promise;
  }

  /** Returns why there is no room for a submission; `undefined` if there is. */
  #refusal({ sender, hasAccount }: HoldableSubmission, sizeBytes: number): string | undefined {
    const { maxCount, maxBytes, maxOfSender } = this.#deps.limits;
    const { count } = this.#held;
    if (this.#held.countOf(sender) >= maxOfSender) {
      return `${maxOfSender} transactions of the account already wait for a sequencer that leads`;
    }
    const isFull = count >= maxCount || this.#held.sizeBytes + sizeBytes > maxBytes;
    if (!isFull && (2 * count < maxCount || hasAccount())) return undefined;
    return `${count} transactions already wait for a sequencer that leads`;
  }

  #expiry(): string {
    const seconds = this.#deps.limits.maxMs / 1_000;
    return `no sequencer took the transaction within ${seconds} s: ${this.#reason ?? "none has decided"}`;
  }

  #arm(): void {
    if (this.#isStopped || this.#cancelProbe !== undefined || this.#held.count === 0) return;
    this.#cancelProbe = this.#deps.timer.after(PROBE_MS, () => {
      this.#cancelProbe = undefined;
      void this.#probe();
      this.#arm();
    });
  }

  /** Attempts the submission that has waited longest; once it is decided, the others follow. */
  async #probe(): Promise<void> {
    const held = this.#held.oldest();
    if (held === undefined || held.isInFlight) return;
    if (!(await this.#attempt(held))) return;
    for (const sender of this.#held.senders()) void this.#drain(sender);
  }

  /** Attempts the submissions of an account one after the other, until one stays undecided. */
  async #drain(sender: Felt): Promise<void> {
    for (;;) {
      const next = this.#held.first(sender);
      if (next === undefined || next.isInFlight || this.#isStopped) return;
      if (!(await this.#attempt(next))) return;
    }
  }

  /** @returns whether a sequencer has decided */
  async #attempt(held: HeldSubmission): Promise<boolean> {
    const { submission } = held;
    held.isInFlight = true;
    try {
      const answer = await submission.attempt();
      if (isLost(answer)) {
        this.#reason = answer.reason;
        held.mayBeReceived ||= answer.lost === "unanswered";
        return false;
      }
      held.settle(isDoubtful(answer) ? await submission.refused(answer) : answer);
    } catch (error) {
      held.fail(error);
    } finally {
      held.isInFlight = false;
    }
    this.#reason = undefined;
    return true;
  }
}

type Lost = Extract<SubmitAnswer, { readonly kind: "undecided" }> & {
  readonly lost: "unsent" | "unanswered";
};

/** Whether no sequencer has decided, and a retry may reach one that does. */
function isLost(answer: SubmitAnswer): answer is Lost {
  return answer.kind === "undecided" && answer.lost !== undefined;
}

/** Whether a sequencer may refuse a transaction because it has the same one. */
function isDoubtful(answer: SubmitAnswer): answer is SubmitRefusal {
  if (answer.kind !== "rejected") return false;
  return answer.code === "DUPLICATE_TX" || answer.code === "INVALID_TRANSACTION_NONCE";
}

/** Returns the response for a submission that no sequencer has decided, and when to send it again. */
function undecided(
  reason: string,
  { mayBeReceived, isInFlight }: Pick<HeldSubmission, "mayBeReceived" | "isInFlight">,
): SubmitAnswer {
  if (mayBeReceived || isInFlight) {
    return {
      kind: "undecided",
      reason: `${reason}. Whether the transaction was received is not known: send it again in ${RETRY_SECONDS} s, it is taken once`,
    };
  }
  return {
    kind: "rejected",
    code: "UNEXPECTED_ERROR",
    reason: `${reason}: try again in ${RETRY_SECONDS} s`,
    retryAfterSeconds: RETRY_SECONDS,
  };
}
