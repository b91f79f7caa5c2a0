import type { SegmentRow } from "./entries.ts";

/** A row, and where it is stored. */
export interface StoredSegmentRow extends SegmentRow {
  /** `placeOf` of its segment. */
  readonly place: number;
}

/** Where the rows of segments are kept. */
export interface SegmentRows {
  /** All rows at the places from `from` to below `below`, in order. */
  range(from: number, below: number): readonly StoredSegmentRow[];
  /** How many those are. */
  count(from: number, below: number): number;
  /** The last row of a place that begins with `item` or before. */
  rowOf(place: number, item: number): SegmentRow | undefined;
  /** The first row of a place that begins behind `item`. */
  rowBehind(place: number, item: number): SegmentRow | undefined;
  insert(place: number, row: SegmentRow): void;
  /** Removes the row of a place that begins with `item`. */
  delete(place: number, item: number): void;
  /** Removes all rows at the places from `from` to below `below`. */
  deleteRange(from: number, below: number): void;
}

/** Above every place. */
export const END_OF_PLACES: number = 2 ** 31;

/** The greatest item. */
export const LAST_ITEM: number = 2 ** 32 - 1;
