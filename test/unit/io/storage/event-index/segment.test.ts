import { expect, test } from "bun:test";
import {
  newestFull,
  partsOf,
  placeOf,
  rowId,
  segmentOf,
  unpackRowId,
} from "#io/storage/event-index/segment.ts";

test("segmentOf returns the longest complete segment of a block", () => {
  for (const [block, latest, first, blocks] of [
    [0, 0, 0, 1],
    [30, 30, 30, 1],
    [31, 31, 0, 32],
    [0, 31, 0, 32],
    [32, 32, 32, 1],
    [33, 63, 32, 32],
    [0, 1022, 0, 32],
    [1000, 1022, 1000, 1],
    [1000, 1023, 992, 32],
    [1000, 1023 + 127, 992, 32],
    [1000, 1023 + 128, 0, 1024],
    [1024, 1024, 1024, 1],
    [1023, 5000, 0, 1024],
    [4999, 5000, 4999, 1],
    [4096, 5000, 4096, 32],
  ] as const) {
    expect([block, latest, segmentOf(block, latest)]).toEqual([block, latest, { first, blocks }]);
  }
});

test("partsOf returns consecutive parts up to a block", () => {
  const sizes = (from: number, to: number) => partsOf(from, to).map(({ blocks }) => blocks);
  expect(sizes(0, 64 + 1)).toEqual([32, 32, 1, 1]);
  expect(sizes(1024, 1024 + 31)).toEqual([32]);
  expect(sizes(5, 4)).toEqual([]);
});

test("newestFull ends at the newest block or before", () => {
  expect([-1, 0, 1022, 1023, 1024, 2046, 2047].map(newestFull)).toEqual([
    undefined,
    undefined,
    undefined,
    0,
    0,
    0,
    1024,
  ]);
});

test("segments that exist together have different places", () => {
  const segments = [
    { first: 1024, blocks: 1024 },
    ...partsOf(1024, 2047),
    ...partsOf(2048, 2048 + 70),
  ];
  expect(new Set(segments.map(placeOf)).size).toBe(segments.length);
  expect(Math.min(...segments.map(placeOf))).toBe(1024);
});

test("row ids are ordered by block and item", () => {
  const last = 2 ** 31 - 1;
  const places = [
    [0, 0],
    [0, 2 ** 32 - 1],
    [1, 0],
    [last, 0],
    [last, 2 ** 32 - 1],
  ] as const;
  const ids = places.map(([block, item]) => rowId(block, item));
  expect(ids).toEqual(ids.toSorted((a, b) => (a < b ? -1 : 1)));
  expect(ids.at(-1)).toBe(2n ** 63n - 1n);
  expect(ids.map(unpackRowId)).toEqual(places.map(([place, item]) => ({ place, item })));
});
