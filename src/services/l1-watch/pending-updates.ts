import type { L1StateUpdate } from "./state-ports.ts";
import { isSameState } from "./state-vote.ts";

/**
 * State updates of L1 whose blocks are not here yet, by block number. Above `limit` every second one is
 * dropped. That loses nothing permanently, because a block's hash covers all blocks before it.
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

  /** Adds an update; a duplicate is kept only if the first has no transaction or was replaced. */
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
   * Marks updates that a later state of L1 has replaced. The core contract's block number only grows, so a
   * later state at or below an update proves that the contract was set back in between.
   */
  replaceBy(later: L1StateUpdate): void {
    // Within one L1 block, the core contract's state is later than every log.
    const isCoreState = later.transactionHash === undefined;
    const newest = later.l1Block.number - (isCoreState ? 0 : 1);
    for (const update of [...this.#updates.values()].flat()) {
      const isEarlier = update.l1Block.number <= newest;
      const isAbove = update.blockNumber >= later.blockNumber && !isSameState(update, later);
      if (isEarlier && isAbove) this.#replaced.add(update);
    }
  }

  /** Whether L1 was set back to a block before this update after it. */
  isReplaced(update: L1StateUpdate): boolean {
    return this.#replaced.has(update);
  }

  has(update: L1StateUpdate): boolean {
    return this.#updates.get(Number(update.blockNumber))?.includes(update) === true;
  }

  /** Updates up to a block, in ascending order. */
  upTo(blockNumber: number): readonly L1StateUpdate[] {
    return [...this.#updates]
      .filter(([number]) => number <= blockNumber)
      .sort(([a], [b]) => a - b)
      .flatMap(([, updates]) => updates);
  }

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

  /** Keeps the higher of each two numbers, and one of several updates with the same number. */
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
