import type { Event } from "#protocol/chain/index.ts";
import { RowsInMemory } from "../event-index/memory-rows.ts";
import { END_OF_PLACES } from "../event-index/rows.ts";
import { SEGMENT_BLOCKS, SETTLE_BLOCKS } from "../event-index/segment.ts";
import { SegmentTable } from "../event-index/table.ts";
import { EventIndexWriter } from "../event-index/writer.ts";
import type { ChainSchema } from "../schema/index.ts";
import type { StatementFactory } from "../statement.ts";

/**
 * Makes the index of events again, block by block, to compare it with the stored one. In memory are a
 * segment and the blocks behind it during which it is made. Blocks before the first begin of a segment are
 * left out: what the index has of them depends on blocks that were not looked at.
 */
export class EventIndexCheck {
  readonly #stored: SegmentTable;
  readonly #made = new RowsInMemory();
  readonly #writer = new EventIndexWriter(this.#made);
  readonly #oldest: number;
  /** First block of the oldest segment that is being made. */
  #first: number | undefined;

  /** @param oldest - first block that there is: nothing is in the index of blocks before it */
  constructor(statements: StatementFactory<ChainSchema>, oldest: number) {
    this.#oldest = oldest;
    this.#stored = new SegmentTable(statements);
  }

  /**
   * Takes the block behind the one before.
   *
   * @param isNewest - there is no block behind it
   * @returns whether what is stored is what was made, as far as that can be said now
   */
  add(block: number, events: readonly Event[], isNewest: boolean): boolean {
    const isFirst = block === this.#oldest;
    if (isFirst || block % SEGMENT_BLOCKS === 0) this.#first ??= block - (block % SEGMENT_BLOCKS);
    const first = this.#first;
    if (first === undefined) return true;
    this.#writer.insert(block, events);
    const settled = block + 1 - SETTLE_BLOCKS;
    const isSettled = settled > first && settled % SEGMENT_BLOCKS === 0;
    if (!isSettled && !isNewest) return true;
    const below = isNewest ? END_OF_PLACES : settled;
    const isSame = this.#isStored(first, below);
    if (isSettled) {
      this.#made.take(settled);
      this.#first = settled;
    }
    return isSame;
  }

  #isStored(from: number, below: number): boolean {
    const stored = this.#stored.range(from, below);
    const made = this.#made.range(from, below);
    if (stored.length !== made.length) return false;
    return made.every(({ place, item, entries }, i) => {
      const row = stored[i];
      if (row === undefined || row.place !== place || row.item !== item) return false;
      return Buffer.compare(row.entries, entries) === 0;
    });
  }
}
