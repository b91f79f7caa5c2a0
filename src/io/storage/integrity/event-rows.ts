import type { Event } from "#protocol/chain/index.ts";
import { RowsInMemory } from "../event-index/memory-rows.ts";
import { END_OF_PLACES } from "../event-index/rows.ts";
import { SEGMENT_BLOCKS, SETTLE_BLOCKS } from "../event-index/segment.ts";
import { SegmentTable } from "../event-index/table.ts";
import { EventIndexWriter } from "../event-index/writer.ts";
import type { ChainSchema } from "../schema/index.ts";
import type { StatementFactory } from "../statement.ts";

/**
 * Rebuilds the event index block by block and compares it with the stored one. Memory holds one segment and
 * the blocks during which it is merged. Blocks before the first segment start are skipped: their index
 * entries depend on blocks that were not read.
 */
export class EventIndexCheck {
  readonly #stored: SegmentTable;
  readonly #made = new RowsInMemory();
  readonly #writer = new EventIndexWriter(this.#made);
  readonly #oldest: number;
  /** First block of the oldest segment under construction. */
  #first: number | undefined;

  /** @param oldest - first stored block; the index has no entries for earlier ones */
  constructor(statements: StatementFactory<ChainSchema>, oldest: number) {
    this.#oldest = oldest;
    this.#stored = new SegmentTable(statements);
  }

  /**
   * Adds the next block.
   *
   * @param isNewest - whether no block follows it
   * @returns whether the stored rows match the rebuilt ones that are complete so far
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
