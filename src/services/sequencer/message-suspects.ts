import type { Felt } from "#base/primitives/index.ts";
import type { MessageSuspicion } from "#services/admission/index.ts";

/** Attempts of a message before which the process died of something that has no name. */
const CAREFUL_ATTEMPT = 2;

/** Messages from L1 that a crash before is, or may be, blamed on. */
export class MessageSuspects {
  readonly #crashes = new Map<Felt, number>();
  readonly #reasons = new Map<Felt, string>();
  #isCareful = false;

  /** Takes what is known from before the start. */
  note({ messages, isCareful }: MessageSuspicion): void {
    this.#isCareful = isCareful;
    for (const { hash, crashes, reason } of messages) {
      if (reason === null) this.#crashes.set(hash, crashes);
      else this.#reasons.set(hash, reason);
    }
  }

  /** Whether all messages are as good as any other transaction. */
  get isEmpty(): boolean {
    return !this.#isCareful && this.#crashes.size === 0;
  }

  /** The attempt that an execution would be; above 1 it gets a block of its own. */
  attemptOf(hash: Felt): number {
    const crashes = this.#crashes.get(hash);
    if (crashes !== undefined) return crashes + 1;
    return this.#isCareful && !this.#reasons.has(hash) ? CAREFUL_ATTEMPT : 1;
  }

  /** Why a message is not executed again; `undefined` when it may be. */
  refusalOf(hash: Felt): string | undefined {
    return this.#reasons.get(hash);
  }

  /** A message was executed, and nothing has happened. */
  executed(hash: Felt): void {
    this.#crashes.delete(hash);
  }
}
