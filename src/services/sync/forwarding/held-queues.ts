import type { Felt } from "#base/primitives/index.ts";
import type { SubmitAnswer, SubmitRefusal } from "./gateway-codes.ts";

/** Submission that may be held while no sequencer leads. */
export interface HoldableSubmission {
  readonly sender: Felt;
  readonly nonce: Felt;
  /** Size in memory, in bytes; called once, when the submission is held. */
  readonly sizeBytes: () => number;
  /** Whether the chain has an account at the sender's address; called only when room is short. */
  readonly hasAccount: () => boolean;
  /** Submits to the sequencer that leads now. */
  readonly attempt: () => Promise<SubmitAnswer>;
  /**
   * Returns the response for a held submission that a sequencer refuses with DUPLICATE_TX or
   * INVALID_TRANSACTION_NONCE: it may have the transaction from an earlier attempt.
   */
  readonly refused: (refusal: SubmitRefusal) => Promise<SubmitAnswer>;
  /** Aborted when the client has disconnected. */
  readonly signal: AbortSignal;
}

/** Submission that waits for a sequencer. */
export interface HeldSubmission {
  readonly submission: HoldableSubmission;
  readonly sizeBytes: number;
  /** Whether an earlier attempt may have reached a sequencer. */
  mayBeReceived: boolean;
  isInFlight: boolean;
  /** Responds to the client; later calls have no effect. */
  readonly settle: (answer: SubmitAnswer) => void;
  readonly fail: (error: unknown) => void;
}

/** Held submissions in the order of arrival, and those of each account by nonce. */
export class HeldQueues {
  readonly #all = new Set<HeldSubmission>();
  readonly #ofSender = new Map<Felt, HeldSubmission[]>();
  #sizeBytes = 0;

  get count(): number {
    return this.#all.size;
  }

  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  countOf(sender: Felt): number {
    return this.#ofSender.get(sender)?.length ?? 0;
  }

  add(held: HeldSubmission): void {
    const { sender, nonce } = held.submission;
    this.#all.add(held);
    this.#sizeBytes += held.sizeBytes;
    const queue = this.#ofSender.get(sender);
    if (queue === undefined) this.#ofSender.set(sender, [held]);
    else {
      const before = queue.findLastIndex(({ submission }) => submission.nonce <= nonce);
      queue.splice(before + 1, 0, held);
    }
  }

  /** @returns whether it was held */
  delete(held: HeldSubmission): boolean {
    if (!this.#all.delete(held)) return false;
    this.#sizeBytes -= held.sizeBytes;
    const { sender } = held.submission;
    const left = this.#ofSender.get(sender)?.filter((other) => other !== held) ?? [];
    if (left.length === 0) this.#ofSender.delete(sender);
    else this.#ofSender.set(sender, left);
    return true;
  }

  /** First submission, by nonce, of the account that has waited longest. */
  oldest(): HeldSubmission | undefined {
    const [held] = this.#all;
    return held && this.first(held.submission.sender);
  }

  /** Submission with the lowest nonce of an account. */
  first(sender: Felt): HeldSubmission | undefined {
    return this.#ofSender.get(sender)?.[0];
  }

  senders(): readonly Felt[] {
    return [...this.#ofSender.keys()];
  }

  all(): readonly HeldSubmission[] {
    return [...this.#all];
  }
}
