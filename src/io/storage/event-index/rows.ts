import type { SegmentRow } from "./entries.ts";

/** Row with its storage place. */
export interface StoredSegmentRow extends SegmentRow {
  /** Result of `placeOf` for its segment. */
  readonly place: number;
}

/** Storage of segment rows. */
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

/** Upper bound above every place. */
export const END_OF_PLACES: number = 2 ** 31;

/** Greatest possible item. */
export const LAST_ITEM: number = 2 ** 32 - 1;
