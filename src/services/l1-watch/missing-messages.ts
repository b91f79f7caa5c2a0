import type { CoreContractLog, MessageLog } from "#io/l1/index.ts";

/** Maximum messages found per search. */
const AT_ONCE = 512;

/**
 * Messages that are in no block, and precede the first log. They were sent before the replay window, or an
 * endpoint omitted them, so the logs are read again after 1, 2, 4, 8, ... steps.
 */
export class MissingMessages {
  readonly #from: bigint;
  #to: bigint;
  #steps = 0;

  /**
   * @param from - first nonce, inclusive
   * @param to - last nonce, exclusive
   */
  constructor(from: bigint, to: bigint) {
    this.#from = from;
    this.#to = to;
  }

  /** Whether all have been found. */
  get isEmpty(): boolean {
    return this.#from >= this.#to;
  }

  /** Whether, as of this step, enough searches were done to report them as too old; true once. */
  get isNews(): boolean {
    return this.#steps === SURE_AFTER_STEPS;
  }

  get nonces(): { readonly firstNonce: bigint; readonly lastNonce: bigint } {
    return { firstNonce: this.#from, lastNonce: this.#to - 1n };
  }

  /** Counts a step. @returns whether to search in it */
  isDue(): boolean {
    this.#steps++;
    return Number.isInteger(Math.log2(this.#steps));
  }

  /** Finds the newest missing messages in logs, in order and without a gap to the known ones. */
  find(logs: readonly CoreContractLog[]): readonly MessageLog[] {
    const found: MessageLog[] = [];
    for (const log of logs.toReversed()) {
      if (log.kind !== "message_to_l2" || log.nonce !== this.#to - 1n || this.isEmpty) continue;
      found.push(log);
      this.#to--;
      if (found.length === AT_ONCE) break;
    }
    return found.reverse();
  }
}

/** Steps after which missing messages are reported as too old; a power of two. */
const SURE_AFTER_STEPS = 4;
