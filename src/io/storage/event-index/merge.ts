import { DecodeError } from "#base/errors/index.ts";
import { RowCursor, RowsWriter, type SegmentRow } from "./entries.ts";
import { PairList } from "./pairs.ts";
import { type Segment, SEGMENT_BLOCKS } from "./segment.ts";

/** A segment with its rows in order. */
export interface FilledSegment extends Segment {
  readonly rows: readonly SegmentRow[];
}

/** Bytes of rows whose entries are in memory at a time, about: they take up to three times as much. */
const PORTION_BYTES = 4 << 20;

const ITEMS = 2 ** 32;

/**
 * Distributes what neighbouring segments say over others, which begin where those do: to make one of
 * many, or many of one. What is said of blocks behind them is left out.
 *
 * @param sources - with all their rows; together they are at most {@link SEGMENT_BLOCKS} blocks
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

/** Adds pairs to the segments that their blocks are of. */
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

/** Goes through the entries of a segment, from row to row. */
class SegmentCursor {
  /** The segment's first block, counted from the first of all. */
  readonly #offset: number;
  readonly #rows: readonly SegmentRow[];
  #rowIndex = -1;
  #row: RowCursor | undefined;

  constructor(offset: number, rows: readonly SegmentRow[]) {
    this.#offset = offset;
    this.#rows = rows;
    this.#advance();
  }

  /** Tells the items below `below` that are still to come. */
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

/** A segment that is being written. */
class SegmentOutput {
  /** Number of the first block behind it. */
  readonly end: number;
  readonly #segment: Segment;
  readonly #writer = new RowsWriter();
  readonly #offsets = new Uint16Array(SEGMENT_BLOCKS);
  #count = 0;

  constructor(segment: Segment) {
    this.#segment = segment;
    this.end = segment.first + segment.blocks;
  }

  /** Notes a block of the item at hand, above those before. */
  add(block: number): void {
    this.#offsets[this.#count++] = block - this.#segment.first;
  }

  /** Writes the item at hand, if it is in a block of this segment. */
  flush(item: number): void {
    if (this.#count > 0) this.#writer.add(item, this.#offsets, this.#count);
    this.#count = 0;
  }

  finish(): FilledSegment {
    return { ...this.#segment, rows: this.#writer.finish() };
  }
}
