import type { Felt } from "#base/primitives/index.ts";

/** Maximum queued plus running declarations per sender; more are rejected. */
const MAX_PER_SENDER = 8;

/** Maximum total bytes of queued and running work, all senders together. */
const MAX_BYTES = 128 << 20;

/** Runs work sequentially per sender, and concurrently for different senders. */
export class SenderTurns {
  readonly #last = new Map<Felt, { readonly work: Promise<unknown>; readonly count: number }>();
  #bytes = 0;

  /**
   * Runs work after all earlier work of the sender.
   *
   * @param sizeBytes - memory that the work holds until it is done
   * @param work - must not reject
   * @returns the result of the work; `undefined` without running it when the sender's limit or the total
   * limit is exceeded
   */
  async run<T>(sender: Felt, sizeBytes: number, work: () => Promise<T>): Promise<T | undefined> {
    const last = this.#last.get(sender);
    const count = (last?.count ?? 0) + 1;
    if (count > MAX_PER_SENDER || this.#bytes + sizeBytes > MAX_BYTES) return undefined;
    this.#bytes += sizeBytes;
    const mine = last === undefined ? work() : last.work.then(work);
    this.#last.set(sender, { work: mine, count });
    try {
      return await mine;
    } finally {
      this.#bytes -= sizeBytes;
      this.#done(sender);
    }
  }

  #done(sender: Felt): void {
    const last = this.#last.get(sender);
    if (last === undefined || last.count === 1) this.#last.delete(sender);
    else this.#last.set(sender, { ...last, count: last.count - 1 });
  }
}
