import type { L1StateUpdate } from "./state-ports.ts";
import { isSameState } from "./state-vote.ts";

/**
 * State updates of L1 whose blocks are not here yet, by block number. At most `limit` are kept: every
 * second one is dropped then, which loses nothing for good, for a block's hash stands for all before it.
 */
export class PendingUpdates {
  readonly #limit: number;
  #updates = new Map<number, L1StateUpdate[]>();
  readonly #replaced = new WeakSet<L1StateUpdate>();
  #size = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get size(): number {
    return this.#size;
  }

  /** Adds one; the same one again counts only where the first has no transaction or was replaced. */
  add(update: L1StateUpdate): void {
    const number = Number(update.blockNumber);
    const same = this.#updates.get(number) ?? [];
    const known = same.find((other) => isSameState(other, update));
    if (known !== undefined) {
      const isMore = known.transactionHash === undefined && update.transactionHash !== undefined;
      if (isMore || this.#replaced.has(known))
        this.#updates.set(number, same.with(same.indexOf(known), update));
      return;
    }
    this.#updates.set(number, [...same, update]);
    this.#size++;
    if (this.#size > this.#limit) this.#thin();
  }

  /**
   * Marks updates that a later state of L1 has replaced: the core contract's block number only grows, so
   * that one at or below theirs means that the contract was put back in between.
   */
  replaceBy(later: L1StateUpdate): void {
    // Of one L1 block, the core contract's state is later than every log.
    const isCoreState = later.transactionHash === undefined;
    const newest = later.l1Block.number - (isCoreState ? 0 : 1);
    for (const update of [...this.#updates.values()].flat()) {
      const isEarlier = update.l1Block.number <= newest;
      const isAbove = update.blockNumber >= later.blockNumber && !isSameState(update, later);
      if (isEarlier && isAbove) this.#replaced.add(update);
    }
  }

  /** Whether L1 was put back to a block before this update since it had it. */
  isReplaced(update: L1StateUpdate): boolean {
    return this.#replaced.has(update);
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
