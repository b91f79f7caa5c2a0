import type { L1View } from "#io/l1/index.ts";
import { splitByState, type StoppedMessage } from "./message-state.ts";
import type { WaitingMessage } from "./waiting-message.ts";

/** Maximum messages rechecked in one request. */
const AT_ONCE = 128;

/**
 * Messages held back because of their state in an L1 block that may still be reorganized. They are rechecked
 * once that block is final. At most `limit` are kept; the oldest are dropped.
 */
export class HeldBackMessages {
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
   * Rechecks messages whose block is final in this view; each is rechecked only once.
   *
   * @returns the messages that may be executed after all
   */
  async recheck(view: Pick<L1View, "block" | "messages">): Promise<readonly WaitingMessage[]> {
    const counts = (stopped: StoppedMessage) => stopped.seenIn.number <= view.block.number;
    const due = this.#stopped.filter(counts).slice(0, AT_ONCE);
    if (due.length === 0) return [];
    const { sound } = await splitByState(
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
