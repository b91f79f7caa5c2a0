import type { BytesColumn, IntegerColumn } from "./columns.ts";

/** Rows of the index of events: which blocks have an address or a key. */
export interface EventSegmentTable {
  /** `first block of the segment * 2^32 + first item of the row`; 0 for the item of the first row. */
  id: IntegerColumn;
  /** Form: `RowsWriter` of `event-index/entries.ts`. */
  entries: BytesColumn;
}
