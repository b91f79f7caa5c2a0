import type { SegmentRow } from "./entries.ts";
import type { SegmentRows, StoredSegmentRow } from "./rows.ts";

/** Event index rows in memory, not stored yet. */
export class RowsInMemory implements SegmentRows {
  readonly #rows: StoredSegmentRow[] = [];

  range(from: number, below: number): readonly StoredSegmentRow[] {
    return this.#rows.slice(this.#indexOf(from, 0), this.#indexOf(below, 0));
  }

  count(from: number, below: number): number {
    return this.#indexOf(below, 0) - this.#indexOf(from, 0);
  }

  rowOf(place: number, item: number): SegmentRow | undefined {
    const row = this.#rows[this.#indexOf(place, item + 1) - 1];
    return row?.place === place ? row : undefined;
  }

  rowBehind(place: number, item: number): SegmentRow | undefined {
    const row = this.#rows[this.#indexOf(place, item + 1)];
    return row?.place === place ? row : undefined;
  }

  insert(place: number, row: SegmentRow): void {
    this.#rows.splice(this.#indexOf(place, row.item), 0, { place, ...row });
  }

  delete(place: number, item: number): void {
    this.#rows.splice(this.#indexOf(place, item), 1);
  }

  deleteRange(from: number, below: number): void {
    const first = this.#indexOf(from, 0);
    this.#rows.splice(first, this.#indexOf(below, 0) - first);
  }

  /** Removes and returns the rows of all places below `below`. */
  take(below: number): readonly StoredSegmentRow[] {
    return this.#rows.splice(0, this.#indexOf(below, 0));
  }

  /** Returns the index of the first row at or after an item of a place. */
  #indexOf(place: number, item: number): number {
    let low = 0;
    let high = this.#rows.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const row = this.#rows[middle];
      const isBefore =
        row !== undefined && (row.place < place || (row.place === place && row.item < item));
      if (isBefore) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
