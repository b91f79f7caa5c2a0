import type { BytesColumn, IntegerColumn } from "./columns.ts";

/** Rows of the event index: which blocks have an address or a key. */
export interface EventSegmentTable {
  /**
   * `place * 2^32 + item`; place is the result of `placeOf`, item the first item of the row (0 for a
   * segment's first row).
   */
  id: IntegerColumn;
  /** Format: `RowsWriter` in `event-index/entries.ts`. */
  entries: BytesColumn;
}
