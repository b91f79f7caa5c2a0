import type { Event } from "#protocol/chain/index.ts";
import { RowsWriter } from "./entries.ts";
import { eventItems } from "./items.ts";
import { type FilledSegment, redistribute } from "./merge.ts";
import type { SegmentRows } from "./rows.ts";
import { segmentOf, segmentsFrom } from "./segment.ts";

/** The offsets of a segment of one block. */
const ONLY_BLOCK = Uint16Array.of(0);

/**
 * Keeps the index of events: the items of each block, which are put together as soon as a longer segment
 * is complete. The rows depend on nothing but the events of the blocks up to the newest one.
 */
export class EventIndexWriter {
  readonly #rows: SegmentRows;

  constructor(rows: SegmentRows) {
    this.#rows = rows;
  }

  /** Adds the events of the block behind the newest one. */
  insert(block: number, events: Iterable<Event>): void {
    this.#insert(blockSegment(block, events));
    const { first, blocks } = segmentOf(block, block);
    if (blocks > 1) this.#rewrite(first, block);
  }

  /** Takes the index back: behind `block` (-1: none) there is nothing. `latest` was the newest one. */
  deleteAbove(block: number, latest: number): void {
    if (latest <= block) return;
    const { first, blocks } = segmentOf(block + 1, latest);
    this.#rows.deleteFrom(first > block ? first : first + blocks);
    if (first <= block) this.#rewrite(first, block);
  }

  /** Makes of all segments from `first` on those that there are when `latest` is the newest block. */
  #rewrite(first: number, latest: number): void {
    const segments = redistribute(this.#rows.from(first), segmentsFrom(first, latest));
    this.#rows.deleteFrom(first);
    for (const segment of segments) this.#insert(segment);
  }

  #insert({ first, rows }: FilledSegment): void {
    for (const row of rows) this.#rows.insert(first, row);
  }
}

function blockSegment(block: number, events: Iterable<Event>): FilledSegment {
  const writer = new RowsWriter();
  for (const item of eventItems(events)) writer.add(item, ONLY_BLOCK, 1);
  return { first: block, blocks: 1, rows: writer.finish() };
}
