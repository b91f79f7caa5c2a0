import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { DecodeError } from "#base/errors/index.ts";
import { RowCursor } from "#io/storage/event-index/entries.ts";
import { eventItems } from "#io/storage/event-index/items.ts";
import { RowsInMemory } from "#io/storage/event-index/memory-rows.ts";
import type { StoredSegmentRow } from "#io/storage/event-index/rows.ts";
import { segmentsFrom } from "#io/storage/event-index/segment.ts";
import { EventIndexWriter } from "#io/storage/event-index/writer.ts";
import type { Event } from "#protocol/chain/index.ts";
import { assertProperty } from "#test/helpers/property.ts";

/** Events of a block: what every block has, what some have, what one has; every fifth has none. */
function eventsOf(block: number, fork = 0): Event[] {
  if (block % 5 === 4) return [];
  const keys = [1n, BigInt((block * 7919) % 13), BigInt(block) + (BigInt(fork) << 40n)];
  return [{ fromAddress: 100n + BigInt(block % 3), keys, data: [] }];
}

/** The index of blocks 0 to `latest`; those from `forked` on are of another fork. */
function indexOf(latest: number, forked = latest + 1) {
  const rows = new RowsInMemory();
  const writer = new EventIndexWriter(rows);
  const insert = (block: number): void =>
    writer.insert(block, eventsOf(block, block < forked ? 0 : 1));
  for (let block = 0; block <= latest; block++) insert(block);
  return { rows, writer, insert };
}

/** The items of each block, as the rows say them. */
function itemsOf(rows: readonly StoredSegmentRow[]): Map<number, number[]> {
  const found = new Map<number, number[]>();
  for (const row of rows) {
    const cursor = new RowCursor(row);
    while (cursor.next()) {
      cursor.read((offset) => {
        const block = row.firstBlock + offset;
        const items = found.get(block) ?? [];
        items.push(cursor.item);
        found.set(block, items);
      });
    }
  }
  return found;
}

const LATEST = 2 * 1024 + 3 * 32 + 7;
const all = indexOf(LATEST);

describe("the index", () => {
  test("says of each block its items", () => {
    const found = itemsOf(all.rows.from(0));
    for (let block = 0; block <= LATEST; block++) {
      expect([block, found.get(block) ?? []]).toEqual([block, [...eventItems(eventsOf(block))]]);
    }
  });

  test("has rows of the segments that there are, and of no others", () => {
    const firsts = new Set(all.rows.from(0).map(({ firstBlock }) => firstBlock));
    const segments = segmentsFrom(0, LATEST).filter(
      ({ first, blocks }) => blocks > 1 || first % 5 !== 4,
    );
    expect([...firsts]).toEqual(segments.map(({ first }) => first));
  });

  test("that is taken back is as if the blocks had never been", () => {
    const near = fc.constantFrom(-1, 0, 31, 32, 1023, 1024, 1055, 2047, 2048, LATEST - 1, LATEST);
    assertProperty(
      fc.property(fc.oneof(near, fc.integer({ min: -1, max: LATEST })), (block) => {
        const { rows, writer } = indexOf(LATEST);
        writer.deleteAbove(block, LATEST);
        expect(rows.from(0)).toEqual(indexOf(block).rows.from(0));
      }),
      { numRuns: 15 },
    );
  });

  test("goes on from there with other blocks", () => {
    const { rows, writer } = indexOf(LATEST);
    writer.deleteAbove(1030, LATEST);
    const other = new EventIndexWriter(rows);
    for (let block = 1031; block <= LATEST; block++) other.insert(block, eventsOf(block, 1));
    expect(rows.from(0)).toEqual(indexOf(LATEST, 1031).rows.from(0));
  });

  test("is not changed by taking it back to where it is", () => {
    const { rows, writer } = indexOf(40);
    const before = rows.from(0);
    writer.deleteAbove(40, 40);
    writer.deleteAbove(41, 40);
    expect(rows.from(0)).toEqual(before);
  });

  test("of many items is put together in portions", () => {
    const rows = new RowsInMemory();
    const writer = new EventIndexWriter(rows);
    // About 1.4 million entries, 7 MB.
    const wide = (block: number): Event[] => [
      {
        fromAddress: 1n,
        keys: Array.from({ length: 45_000 }, (_, i) => BigInt(block * 45_000 + i)),
        data: [],
      },
    ];
    for (let block = 0; block < 32; block++) writer.insert(block, wide(block));
    const found = itemsOf(rows.from(0));
    expect(found.size).toBe(32);
    for (const block of [0, 17, 31]) expect(found.get(block)).toEqual([...eventItems(wide(block))]);
  });
});

test("rows whose blocks are beyond a segment are refused", () => {
  const { rows, insert } = indexOf(30);
  // The item 0, at the offsets 0 (1, more) and 1024 (2048 is a bitmap's; 1023 + 1 in two steps).
  rows.insert(30, { item: 0, entries: Uint8Array.of(1, 0, 0xfd, 0x0f, 0x02, 0) });
  rows.insert(30, { item: 1, entries: Uint8Array.of(1, 0, 0xff, 0x0f, 0x02) });
  expect(() => insert(31)).toThrow(DecodeError);
});

test("rows whose blocks are just beyond a segment are refused", () => {
  const { rows, insert } = indexOf(30);
  // Block 30 with the offset 994: together 1024, one more than the last.
  rows.insert(30, { item: 0, entries: Uint8Array.of(1, 0, 0xc4, 0x0f) });
  expect(() => insert(31)).toThrow(DecodeError);
});
