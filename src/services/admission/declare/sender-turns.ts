import type { Felt } from "#base/primitives/index.ts";

/** Most that waits or works for one sender; one more is turned away. */
const MAX_PER_SENDER = 8;

/** Most bytes of everything that waits or works, of all senders together. */
const MAX_BYTES = 128 << 20;

/** Work that is done one after the other for each sender, and side by side for different ones. */
export class SenderTurns {
  readonly #last = new Map<Felt, { readonly work: Promise<unknown>; readonly count: number }>();
  #bytes = 0;

  /**
   * Does work when everything that the sender came with before is done.
   *
   * @param sizeBytes - what the work keeps until it is done
   * @param work - must not reject
   * @returns what it gives; `undefined`, and nothing is done, when too much waits for the sender, or
   *   for all
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
