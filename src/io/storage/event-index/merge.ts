import { DecodeError } from "#base/errors/index.ts";
import { RowCursor, RowsWriter, type SegmentRow } from "./entries.ts";
import { PairList } from "./pairs.ts";
import { type Segment, SEGMENT_BLOCKS } from "./segment.ts";

/** Segment with its rows in order. */
export interface FilledSegment extends Segment {
  readonly rows: readonly SegmentRow[];
}

/** Approximate size of rows decoded at a time; their entries take up to three times as much memory. */
const PORTION_BYTES = 4 << 20;

const ITEMS = 2 ** 32;

/**
 * Redistributes the entries of adjacent segments over segments that start at the same block: merges many into
 * one, or splits one into many. Entries for blocks after the targets are dropped.
 *
 * @param sources - with all their rows; together at most {@link SEGMENT_BLOCKS} blocks
 * @throws {DecodeError} when a row is damaged
 */
export function redistribute(
  sources: readonly FilledSegment[],
  targets: readonly Segment[],
): FilledSegment[] {
  const outputs = targets.map((target) => new SegmentOutput(target));
  const base = targets[0]?.first ?? 0;
  const streams = sources.map(({ first, rows }) => new SegmentCursor(first - base, rows));
  const bytes = sources
    .flatMap(({ rows }) => rows)
    .reduce((sum, { entries }) => sum + entries.length, 0);
  const portion = Math.ceil(ITEMS / Math.ceil((bytes + 1) / PORTION_BYTES));
  for (let below = portion; below < ITEMS + portion; below += portion) {
    const pairs = new PairList();
    for (const stream of streams) stream.read(below, pairs);
    write(pairs, base, outputs);
  }
  return outputs.map((output) => output.finish());
}

/** Adds pairs to the segments that contain their blocks. */
function write(pairs: PairList, base: number, outputs: readonly SegmentOutput[]): void {
  let output = 0;
  let item = -1;
  pairs.forEachAscending((nextItem, offset) => {
    if (nextItem !== item) {
      outputs[output]?.flush(item);
      item = nextItem;
      output = 0;
    }
    const block = base + offset;
    while ((outputs[output]?.end ?? Number.POSITIVE_INFINITY) <= block) {
      outputs[output]?.flush(item);
      output++;
    }
    outputs[output]?.add(block);
  });
  outputs[output]?.flush(item);
}

/** Iterates over the entries of all rows of a segment. */
class SegmentCursor {
  /** Offset of the segment's first block from the first block of all sources. */
  readonly #offset: number;
  readonly #rows: readonly SegmentRow[];
  #rowIndex = -1;
  #row: RowCursor | undefined;

  constructor(offset: number, rows: readonly SegmentRow[]) {
    this.#offset = offset;
    this.#rows = rows;
    this.#advance();
  }

  /** Adds the remaining entries with items below `below` to `pairs`. */
  read(below: number, pairs: PairList): void {
    let row = this.#row;
    while (row !== undefined && row.item < below) {
      const { item } = row;
      row.read((offset) => {
        const fromFirst = this.#offset + offset;
        if (fromFirst >= SEGMENT_BLOCKS) {
          throw new DecodeError("event_segment", `offsets below ${SEGMENT_BLOCKS}`);
        }
        pairs.add(item, fromFirst);
      });
      row = this.#advance();
    }
  }

  #advance(): RowCursor | undefined {
    while (this.#row?.next() !== true) {
      const row = this.#rows[++this.#rowIndex];
      this.#row = row === undefined ? undefined : new RowCursor(row);
      if (row === undefined) break;
    }
    return this.#row;
  }
}

class SegmentOutput {
  /** Number of the first block after it. */
  readonly end: number;
  readonly #segment: Segment;
  readonly #writer = new RowsWriter();
  readonly #offsets = new Uint16Array(SEGMENT_BLOCKS);
  #count = 0;

  constructor(segment: Segment) {
    this.#segment = segment;
    this.end = segment.first + segment.blocks;
  }

  /** Adds a block for the current item, above the previous ones. */
  add(block: number): void {
    this.#offsets[this.#count++] = block - this.#segment.first;
  }

  /** Writes the current item, if it occurs in a block of this segment. */
  flush(item: number): void {
    if (this.#count > 0) this.#writer.add(item, this.#offsets, this.#count);
    this.#count = 0;
  }

  finish(): FilledSegment {
    return { ...this.#segment, rows: this.#writer.finish() };
  }
}
