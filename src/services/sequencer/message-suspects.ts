import type { Felt } from "#base/primitives/index.ts";
import type { MessageSuspicion } from "#services/admission/index.ts";

/** Attempt number of every message after a crash that no crash record could attribute. */
const CAREFUL_ATTEMPT = 2;

/** Messages from L1 that caused, or may have caused, an earlier crash. */
export class MessageSuspects {
  readonly #crashes = new Map<Felt, number>();
  readonly #reasons = new Map<Felt, string>();
  #isCareful = false;

  /** Adds the suspicions recorded before the start. */
  note({ messages, isCareful }: MessageSuspicion): void {
    this.#isCareful = isCareful;
    for (const { hash, crashes, reason } of messages) {
      if (reason === null) this.#crashes.set(hash, crashes);
      else this.#reasons.set(hash, reason);
    }
  }

  /** Whether no message is under suspicion. */
  get isEmpty(): boolean {
    return !this.#isCareful && this.#crashes.size === 0;
  }

  /** Returns the attempt number of the next execution; above 1 the message gets a separate block. */
  attemptOf(hash: Felt): number {
    const crashes = this.#crashes.get(hash);
    if (crashes !== undefined) return crashes + 1;
    return this.#isCareful && !this.#reasons.has(hash) ? CAREFUL_ATTEMPT : 1;
  }

  /** Returns why a message is never executed again; `undefined` if it may be. */
  refusalOf(hash: Felt): string | undefined {
    return this.#reasons.get(hash);
  }

  /** Clears the suspicion: the message was executed without a crash. */
  executed(hash: Felt): void {
    this.#crashes.delete(hash);
  }
}
