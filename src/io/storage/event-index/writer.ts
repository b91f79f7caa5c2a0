import type { Event } from "#protocol/chain/index.ts";
import { RowsWriter } from "./entries.ts";
import { eventItems } from "./items.ts";
import { type FilledSegment, redistribute } from "./merge.ts";
import { END_OF_PLACES, type SegmentRows } from "./rows.ts";
import {
  MERGE_BLOCKS,
  newestFull,
  PART_BLOCKS,
  partsOf,
  placeOf,
  type Segment,
  SEGMENT_BLOCKS,
  SETTLE_BLOCKS,
} from "./segment.ts";
import { mergeShare } from "./share.ts";

/** Offsets of a single-block segment. */
const ONLY_BLOCK = Uint16Array.of(0);

/**
 * Maintains the event index. It merges the items of blocks once a part is complete, and merges parts into
 * full segments, one share with each following block. The rows depend only on the events of the blocks up to
 * the newest one.
 */
export class EventIndexWriter {
  readonly #rows: SegmentRows;

  constructor(rows: SegmentRows) {
    this.#rows = rows;
  }

  /** Adds the events of the next block. */
  insert(block: number, events: Iterable<Event>): void {
    this.#insert(blockSegment(block, events));
    const behind = block + 1;
    if (behind % PART_BLOCKS === 0) this.#makePart(behind - PART_BLOCKS);
    const full = newestFull(block);
    if (full !== undefined) this.#settle(full, block + 1 - full - SEGMENT_BLOCKS);
  }

  /**
   * Reverts the index to `block` (-1 for empty).
   *
   * @param latest - newest block before the revert
   */
  deleteAbove(block: number, latest: number): void {
    if (latest <= block) return;
    const behind = block + 1;
    const first = behind - (behind % SEGMENT_BLOCKS);
    if (first < behind) this.#cut(first, block, latest);
    else this.#rows.deleteRange(first, END_OF_PLACES);
    const full = newestFull(block);
    if (full !== undefined) {
      const end = full + SEGMENT_BLOCKS - 1;
      this.#unsettle(full, latest - end, block - end);
    }
  }

  /**
   * Converts an index in which full segments are built in one step and parts are stored at their first block.
   * Does nothing if that is done already.
   *
   * @param latest - newest block of the index
   */
  adopt(latest: number): void {
    const full = newestFull(latest);
    const open = full === undefined ? 0 : full + SEGMENT_BLOCKS;
    for (const { first, blocks } of partsOf(open, latest)) {
      if (blocks === 1) continue;
      for (const row of this.#rows.range(first, first + 1)) {
        this.#rows.insert(placeOf({ first, blocks }), row);
      }
      this.#rows.deleteRange(first, first + 1);
    }
    if (full === undefined || this.#rows.count(full + 1, open) > 0) return;
    this.#unsettle(full, SETTLE_BLOCKS, latest + 1 - open);
  }

  /** Does the work for a full segment that belongs to the block at distance `behind` after it. */
  #settle(first: number, behind: number): void {
    if (behind >= 1 && behind <= MERGE_BLOCKS) {
      const count = this.#rows.count(first + 1, first + SEGMENT_BLOCKS);
      const isLast = behind === MERGE_BLOCKS;
      const share = isLast ? Number.POSITIVE_INFINITY : Math.ceil(count / MERGE_BLOCKS);
      if (count > 0) mergeShare(this.#rows, first, share);
    } else if (behind > MERGE_BLOCKS && behind <= SETTLE_BLOCKS) {
      this.#deletePart(first, behind - MERGE_BLOCKS - 1);
    }
  }

  /** Rolls a full segment back from `before` to `after` following blocks. */
  #unsettle(first: number, before: number, after: number): void {
    if (after >= SETTLE_BLOCKS) return;
    const end = first + SEGMENT_BLOCKS;
    if (before > MERGE_BLOCKS) {
      const whole = this.#take({ first, blocks: SEGMENT_BLOCKS });
      this.#rows.deleteRange(first + 1, end);
      for (const part of redistribute([whole], partsOf(first, end - 1))) this.#insert(part);
      if (after >= MERGE_BLOCKS) this.#insert(whole);
    } else if (after < MERGE_BLOCKS) this.#rows.deleteRange(first, first + 1);
    const from = after >= MERGE_BLOCKS ? MERGE_BLOCKS + 1 : 1;
    for (let behind = from; behind <= after; behind++) this.#settle(first, behind);
  }

  /**
   * Truncates the blocks of an incomplete segment to those up to `block`, which is not the segment's last
   * one.
   */
  #cut(first: number, block: number, latest: number): void {
    const behind = block + 1;
    const last = first + SEGMENT_BLOCKS - 1;
    const part = behind - (behind % PART_BLOCKS);
    const isWhole = last + MERGE_BLOCKS <= latest;
    const isPart = part < behind && part + PART_BLOCKS - 1 <= latest;
    const source = isWhole
      ? { first, blocks: SEGMENT_BLOCKS }
      : { first: part, blocks: PART_BLOCKS };
    const made =
      isWhole || isPart ? redistribute([this.#take(source)], partsOf(source.first, block)) : [];
    // Partly merged rows of a complete segment; otherwise this place holds a single block.
    if (latest >= last) this.#rows.deleteRange(first, first + 1);
    const from = isWhole ? first : isPart ? part : behind;
    this.#rows.deleteRange(from, END_OF_PLACES);
    for (const segment of made) this.#insert(segment);
  }

  #makePart(first: number): void {
    const blocks = Array.from({ length: PART_BLOCKS }, (_, i) => ({ first: first + i, blocks: 1 }));
    const made = redistribute(
      blocks.map((block) => this.#take(block)),
      [{ first, blocks: PART_BLOCKS }],
    );
    for (const part of made) this.#insert(part);
  }

  #deletePart(first: number, part: number): void {
    const place = placeOf({ first: first + part * PART_BLOCKS, blocks: PART_BLOCKS });
    this.#rows.deleteRange(place, place + 1);
  }

  #take(segment: Segment): FilledSegment {
    const place = placeOf(segment);
    const rows = this.#rows.range(place, place + 1);
    this.#rows.deleteRange(place, place + 1);
    return { ...segment, rows };
  }

  #insert(segment: FilledSegment): void {
    for (const row of segment.rows) this.#rows.insert(placeOf(segment), row);
  }
}

function blockSegment(block: number, events: Iterable<Event>): FilledSegment {
  const writer = new RowsWriter();
  for (const item of eventItems(events)) writer.add(item, ONLY_BLOCK, 1);
  return { first: block, blocks: 1, rows: writer.finish() };
}
