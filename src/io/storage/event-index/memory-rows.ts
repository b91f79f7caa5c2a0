import type { SegmentRow } from "./entries.ts";
import type { SegmentRows, StoredSegmentRow } from "./rows.ts";

/** Rows that are not stored yet. */
export class RowsInMemory implements SegmentRows {
  #rows: StoredSegmentRow[] = [];

  from(firstBlock: number): readonly StoredSegmentRow[] {
    return this.#rows.slice(this.#indexOf(firstBlock));
  }

  insert(firstBlock: number, row: SegmentRow): void {
    this.#rows.push({ firstBlock, ...row });
  }

  deleteFrom(firstBlock: number): void {
    this.#rows.length = this.#indexOf(firstBlock);
  }

  /** Takes all rows out. */
  take(): readonly StoredSegmentRow[] {
    const rows = this.#rows;
    this.#rows = [];
    return rows;
  }

  /** Index of the first row at or behind a block. */
  #indexOf(firstBlock: number): number {
    return this.#rows.findLastIndex((row) => row.firstBlock < firstBlock) + 1;
  }
}
