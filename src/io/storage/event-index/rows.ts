import type { SegmentRow } from "./entries.ts";

/** Row of the event index with the number under which its segment is stored. */
export interface StoredSegmentRow extends SegmentRow {
  /** Result of `placeOf` for its segment. */
  readonly place: number;
}

/** Storage of the event index rows of all segments, in memory or in the database. */
export interface SegmentRows {
  /** Returns all rows at places from `from` to below `below`, in order. */
  range(from: number, below: number): readonly StoredSegmentRow[];
  /** Counts the rows of {@link range}. */
  count(from: number, below: number): number;
  /** Returns the last row of a place that starts at or before `item`. */
  rowOf(place: number, item: number): SegmentRow | undefined;
  /** Returns the first row of a place that starts after `item`. */
  rowBehind(place: number, item: number): SegmentRow | undefined;
  insert(place: number, row: SegmentRow): void;
  /** Removes the row of a place that starts with `item`. */
  delete(place: number, item: number): void;
  /** Removes all rows at places from `from` to below `below`. */
  deleteRange(from: number, below: number): void;
}

/** Number above all segment numbers that `placeOf` returns: exclusive upper bound for ranges. */
export const END_OF_PLACES: number = 2 ** 31;

/** Greatest possible item of the event index; items are 32-bit hashes. */
export const LAST_ITEM: number = 2 ** 32 - 1;
