import { DecodeError } from "#base/errors/index.ts";
import { RowCursor, RowsWriter, type SegmentRow } from "./entries.ts";
import { LAST_ITEM, type SegmentRows } from "./rows.ts";
import { PART_BLOCKS, PARTS, placeOf, SEGMENT_BLOCKS } from "./segment.ts";

/**
 * Merges the next items of the parts into the rows of a full segment; the existing rows show where to
 * continue. The final rows do not depend on the size of the shares.
 *
 * @param first - first block of the segment
 * @param maxRows - maximum number of part rows to read, besides those continued from earlier shares; an item
 *   is never split
 * @throws {DecodeError} when a row is damaged
 */
export function mergeShare(rows: SegmentRows, first: number, maxRows: number): void {
  const writer = new RowsWriter();
  const written = rows.rowOf(first, LAST_ITEM);
  const from = written === undefined ? 0 : writer.resume(written) + 1;
  const streams = new PartStreams(rows, first, from);
  const offsets = new Uint16Array(SEGMENT_BLOCKS);
  let readRows = 0;
  for (let next = streams.next; next !== undefined && readRows < maxRows;) {
    const { item } = next.cursor;
    let count = 0;
    while (next !== undefined && next.cursor.item === item) {
      const { offset } = next;
      next.cursor.read((block) => {
        if (block >= PART_BLOCKS) {
          throw new DecodeError("event_segment", `offsets below ${PART_BLOCKS}`);
        }
        offsets[count++] = offset + block;
      });
      if (streams.advance(next)) readRows++;
      next = streams.next;
    }
    writer.add(item, offsets, count);
  }
  if (written !== undefined) rows.delete(first, written.item);
  for (const row of writer.finish()) rows.insert(first, row);
}

/** Entries of a part from some item on. */
interface PartStream {
  readonly place: number;
  /** Offset of the part's first block in the segment. */
  readonly offset: number;
  row: SegmentRow;
  cursor: RowCursor;
}

/** Merged entries of all parts, by item and then by block. */
class PartStreams {
  readonly #rows: SegmentRows;
  readonly #streams: (PartStream | undefined)[] = [];
  /** Heap of `item * PARTS + part`, one element per part with entries. */
  readonly #heap = new Float64Array(PARTS);
  #size = 0;

  constructor(rows: SegmentRows, first: number, from: number) {
    this.#rows = rows;
    for (let part = 0; part < PARTS && from <= LAST_ITEM; part++) {
      const offset = part * PART_BLOCKS;
      const place = placeOf({ first: first + offset, blocks: PART_BLOCKS });
      const stream = streamFrom(rows, { place, offset }, from);
      this.#streams.push(stream);
      if (stream !== undefined) this.#heap[this.#size++] = stream.cursor.item * PARTS + part;
    }
    this.#heap.subarray(0, this.#size).sort();
  }

  /** Part with the next entry; `undefined` at the end. */
  get next(): PartStream | undefined {
    return this.#size === 0 ? undefined : this.#streams[(this.#heap[0] ?? 0) % PARTS];
  }

  /** Advances the part of {@link next}. @returns whether that read a row */
  advance(next: PartStream): boolean {
    const part = (this.#heap[0] ?? 0) % PARTS;
    let isRead = false;
    let isThere = next.cursor.next();
    if (!isThere) {
      const row = this.#rows.rowBehind(next.place, next.row.item);
      isRead = row !== undefined;
      isThere = row !== undefined && begin(next, row);
    }
    const key = isThere ? next.cursor.item * PARTS + part : (this.#heap[--this.#size] ?? 0);
    if (this.#size > 0) this.#sink(key);
    return isRead;
  }

  /** Replaces the root of the heap and restores the heap order. */
  #sink(key: number): void {
    const heap = this.#heap;
    let at = 0;
    for (let child = 1; child < this.#size; child = 2 * at + 1) {
      const other = child + 1;
      const isOther = other < this.#size && (heap[other] ?? 0) < (heap[child] ?? 0);
      const least = isOther ? other : child;
      if ((heap[least] ?? 0) >= key) break;
      heap[at] = heap[least] ?? 0;
      at = least;
    }
    heap[at] = key;
  }
}

/** Positions a stream at the first entry of a row. @returns whether there is one */
function begin(stream: PartStream, row: SegmentRow): boolean {
  stream.row = row;
  stream.cursor = new RowCursor(row);
  return stream.cursor.next();
}

/** Opens the entries of a part from an item on; `undefined` if none. */
function streamFrom(
  rows: SegmentRows,
  part: Pick<PartStream, "place" | "offset">,
  from: number,
): PartStream | undefined {
  let row = rows.rowOf(part.place, from);
  while (row !== undefined) {
    const cursor = new RowCursor(row);
    if (cursor.seek(from)) return { ...part, row, cursor };
    row = rows.rowBehind(part.place, row.item);
  }
  return undefined;
}
