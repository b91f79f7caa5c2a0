import type { CoreContractLog, MessageLog } from "#io/l1/index.ts";

/** Messages that are taken at once. */
const AT_ONCE = 512;

/**
 * Messages that no block has, and that the logs do not begin with. They were sent before the logs that are
 * read, or an endpoint has left them out: so the logs are read again, after 1, 2, 4, 8 and so many steps.
 */
export class MissingMessages {
  readonly #from: bigint;
  #to: bigint;
  #steps = 0;

  /**
   * @param from - the first nonce of them
   * @param to - the first one behind them
   */
  constructor(from: bigint, to: bigint) {
    this.#from = from;
    this.#to = to;
  }

  /** None is missing any more. */
  get isEmpty(): boolean {
    return this.#from >= this.#to;
  }

  /** They were looked for as often as it takes to say that they are too old, and that was not said yet. */
  get isNews(): boolean {
    return this.#steps === SURE_AFTER_STEPS;
  }

  get nonces(): { readonly firstNonce: bigint; readonly lastNonce: bigint } {
    return { firstNonce: this.#from, lastNonce: this.#to - 1n };
  }

  /** A step is done: whether to look for them in it. */
  isDue(): boolean {
    this.#steps++;
    return Number.isInteger(Math.log2(this.#steps));
  }

  /** The newest of them among logs, in their order, without a gap to those that are not missing. */
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

/** A power of two. */
const SURE_AFTER_STEPS = 4;
