import type { SegmentRow } from "./entries.ts";

/** A row, and the segment that it is of. */
export interface StoredSegmentRow extends SegmentRow {
  /** Number of the segment's first block. */
  readonly firstBlock: number;
}

/** Where the rows of segments are kept. */
export interface SegmentRows {
  /** All rows of the segments that begin at `firstBlock` or above, in order. */
  from(firstBlock: number): readonly StoredSegmentRow[];
  insert(firstBlock: number, row: SegmentRow): void;
  /** Removes all rows of the segments that begin at `firstBlock` or above. */
  deleteFrom(firstBlock: number): void;
}
