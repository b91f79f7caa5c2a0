import type { L1View } from "#io/l1/index.ts";
import { sortByStanding, type StoppedMessage } from "./message-standing.ts";
import type { WaitingMessage } from "./waiting-message.ts";

/** Messages that are looked at together once more. */
const AT_ONCE = 128;

/**
 * Messages that are left out because of how they stand in a block that may still go: until that block
 * counts, they may stand otherwise again. At most `limit` are kept; the oldest go.
 */
export class LeftOutMessages {
  readonly #limit: number;
  #stopped: StoppedMessage[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  get size(): number {
    return this.#stopped.length;
  }

  add(stopped: readonly StoppedMessage[]): void {
    this.#stopped = [...this.#stopped, ...stopped].slice(-this.#limit);
  }

  /**
   * Looks again at those whose block counts in this view; none of them is looked at another time.
   *
   * @returns those that stand as if nothing had been
   */
  async recheck(view: Pick<L1View, "block" | "messages">): Promise<readonly WaitingMessage[]> {
    const counts = (stopped: StoppedMessage) => stopped.seenIn.number <= view.block.number;
    const due = this.#stopped.filter(counts).slice(0, AT_ONCE);
    if (due.length === 0) return [];
    const { sound } = await sortByStanding(
      view,
      due.map(({ message }) => message),
    );
    const done = new Set(due);
    this.#stopped = this.#stopped.filter((stopped) => !done.has(stopped));
    return sound;
  }

  clear(): void {
    this.#stopped = [];
  }
}
