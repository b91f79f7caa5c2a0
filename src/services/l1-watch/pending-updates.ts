import type { L1StateUpdate } from "./state-ports.ts";
import { isSameState } from "./state-vote.ts";

/**
 * State updates of L1 whose blocks are not here yet, by block number. At most `limit` are kept: every
 * second one is dropped then, which loses nothing for good, for a block's hash stands for all before it.
 */
export class PendingUpdates {
  readonly #limit: number;
  #updates = new Map<number, L1StateUpdate[]>();
  #size = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get size(): number {
    return this.#size;
  }

  /** Adds one; the same one again changes nothing, unless its transaction was not known. */
  add(update: L1StateUpdate): void {
    const number = Number(update.blockNumber);
    const same = this.#updates.get(number) ?? [];
    const known = same.findIndex((other) => isSameState(other, update));
    if (known !== -1) {
      const isKnown = same[known]?.transactionHash !== undefined;
      if (!isKnown && update.transactionHash !== undefined) {
        this.#updates.set(number, same.with(known, update));
      }
      return;
    }
    this.#updates.set(number, [...same, update]);
    this.#size++;
    if (this.#size > this.#limit) this.#thin();
  }

  /** Whether it still waits. */
  has(update: L1StateUpdate): boolean {
    return this.#updates.get(Number(update.blockNumber))?.includes(update) === true;
  }

  /** Those up to a block, the lowest first. */
  upTo(blockNumber: number): readonly L1StateUpdate[] {
    return [...this.#updates]
      .filter(([number]) => number <= blockNumber)
      .sort(([a], [b]) => a - b)
      .flatMap(([, updates]) => updates);
  }

  /** These are done with. */
  remove(done: readonly L1StateUpdate[]): void {
    for (const update of done) {
      const number = Number(update.blockNumber);
      const same = this.#updates.get(number) ?? [];
      const rest = same.filter((other) => other !== update);
      this.#size -= same.length - rest.length;
      if (rest.length === 0) this.#updates.delete(number);
      else this.#updates.set(number, rest);
    }
  }

  clear(): void {
    this.#updates.clear();
    this.#size = 0;
  }

  /** Keeps the highest of each two, and one of those that contradict each other. */
  #thin(): void {
    const byNumber = [...this.#updates].sort(([a], [b]) => b - a);
    this.#updates = new Map(
      byNumber
        .filter((_, index) => index % 2 === 0)
        .map(([number, updates]) => [number, updates.slice(0, 1)]),
    );
    this.#size = this.#updates.size;
  }
}
