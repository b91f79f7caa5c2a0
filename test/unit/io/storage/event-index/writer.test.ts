import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { DecodeError } from "#base/errors/index.ts";
import { RowCursor, RowsWriter } from "#io/storage/event-index/entries.ts";
import { eventItems } from "#io/storage/event-index/items.ts";
import { RowsInMemory } from "#io/storage/event-index/memory-rows.ts";
import { redistribute } from "#io/storage/event-index/merge.ts";
import { END_OF_PLACES, type StoredSegmentRow } from "#io/storage/event-index/rows.ts";
import {
  MERGE_BLOCKS,
  newestFull,
  partsOf,
  placeOf,
  type Segment,
  SEGMENT_BLOCKS,
} from "#io/storage/event-index/segment.ts";
import { mergeShare } from "#io/storage/event-index/share.ts";
import { EventIndexWriter } from "#io/storage/event-index/writer.ts";
import type { Event } from "#protocol/chain/index.ts";
import { assertProperty } from "#test/helpers/property.ts";
import { createRandom, type Random } from "#test/helpers/random.ts";
import { bySize } from "#test/helpers/test-size.ts";

/** Events of a block: keys of every block, of some and of one; none in every fifth block. */
function eventsOf(block: number, fork = 0): Event[] {
  if (block % 5 === 4) return [];
  const keys = [1n, BigInt((block * 7919) % 13), BigInt(block) + (BigInt(fork) << 40n)];
  return [{ fromAddress: 100n + BigInt(block % 3), keys, data: [] }];
}

/** Index of blocks 0 to `latest`; those from `forked` on belong to another fork. */
function indexOf(latest: number, forked = latest + 1) {
  const rows = new RowsInMemory();
  const writer = new EventIndexWriter(rows);
  const insert = (block: number): void =>
    writer.insert(block, eventsOf(block, block < forked ? 0 : 1));
  for (let block = 0; block <= latest; block++) insert(block);
  return { rows, writer, insert };
}

/** Rows of a segment with these items per block, built in one step. */
function rowsOf(segment: Segment, items: (block: number) => Iterable<number>): StoredSegmentRow[] {
  const offsets = new Map<number, number[]>();
  for (let offset = 0; offset < segment.blocks; offset++) {
    for (const item of items(segment.first + offset)) {
      offsets.set(item, [...(offsets.get(item) ?? []), offset]);
    }
  }
  const writer = new RowsWriter();
  for (const [item, all] of [...offsets].sort(([a], [b]) => a - b)) {
    writer.add(item, Uint16Array.from(all), all.length);
  }
  return writer.finish().map((row) => ({ place: placeOf(segment), ...row }));
}

/** Entries in the rows of a place: each item with its block offsets. */
function* itemsOf(rows: readonly StoredSegmentRow[]): Generator<[item: number, at: number[]]> {
  for (const row of rows) {
    const cursor = new RowCursor(row);
    while (cursor.next()) {
      const offsets: number[] = [];
      cursor.read((offset) => offsets.push(offset));
      yield [cursor.item, offsets];
    }
  }
}

const entriesOf = (rows: readonly StoredSegmentRow[]): string[] =>
  [...itemsOf(rows)].map(([item, offsets]) => `${item}: ${offsets.join(" ")}`);

const LATEST = 2 * 1024 + 6 * 32 + 7;

/**
 * Rows that an index of `latest` blocks must have, except those of the full segment that is being
 * merged, and that segment.
 */
function expectedRows(latest: number, items: (block: number) => Iterable<number>) {
  const expected: StoredSegmentRow[] = [];
  let making: Segment | undefined;
  const full = newestFull(latest);
  for (let first = 0; full !== undefined && first <= full; first += SEGMENT_BLOCKS) {
    const segment = { first, blocks: SEGMENT_BLOCKS };
    const behind = latest - (first + SEGMENT_BLOCKS - 1);
    if (behind >= MERGE_BLOCKS) expected.push(...rowsOf(segment, items));
    else making = segment;
    const gone = Math.max(0, behind - MERGE_BLOCKS);
    for (const part of partsOf(first, first + SEGMENT_BLOCKS - 1).slice(gone)) {
      expected.push(...rowsOf(part, items));
    }
  }
  const open = full === undefined ? 0 : full + SEGMENT_BLOCKS;
  for (const part of partsOf(open, latest)) expected.push(...rowsOf(part, items));
  return { expected, making };
}

describe("EventIndexWriter", () => {
  const items = (block: number) => eventItems(eventsOf(block));

  test("keeps the rows of all segments, and a growing share of the one that is being merged", () => {
    const { rows, insert } = indexOf(0, Number.POSITIVE_INFINITY);
    const looked = new Set([31, 63, 1022, 1023, 1024, 1100, 1150, 1151, 1152, 1182, 1183, 1184]);
    for (const later of [2046, 2047, 2048, 2090, LATEST]) looked.add(later);
    let done = 0;
    for (let block = 1; block <= LATEST; block++) {
      insert(block);
      if (!looked.has(block)) continue;
      const { expected, making } = expectedRows(block, items);
      const found = rows.range(0, END_OF_PLACES).filter(({ place }) => place !== making?.first);
      expect([block, found]).toEqual([block, expected.sort((a, b) => a.place - b.place)]);
      if (making === undefined) continue;
      const whole = entriesOf(rowsOf(making, items));
      const made = entriesOf(rows.range(making.first, making.first + 1));
      expect(made).toEqual(whole.slice(0, made.length));
      done = Math.max(done, made.length / whole.length);
    }
    // Just before its last share the segment is nearly complete.
    expect(done).toBeGreaterThan(0.9);
  });

  test("deleteAbove leaves the index as if the blocks had never existed", () => {
    const near = fc.constantFrom(
      ...[-1, 0, 31, 32, 1022, 1023, 1024, 1055, 1150, 1151, 1152, 1170, 1183, 1184, 2047, 2048],
      ...[2100, LATEST - 1, LATEST],
    );
    const blocks = fc.oneof(near, fc.integer({ min: -1, max: LATEST }));
    assertProperty(
      fc.property(blocks, blocks, (one, other) => {
        const [block, latest] = [Math.min(one, other), Math.max(one, other)];
        const { rows, writer } = indexOf(latest);
        writer.deleteAbove(block, latest);
        expect(rows.range(0, END_OF_PLACES)).toEqual(indexOf(block).rows.range(0, END_OF_PLACES));
      }),
      { numRuns: 25, minRuns: 10 },
    );
  });

  test("continues with other blocks after deleteAbove", () => {
    for (const block of [1030, 1100, 1160, 1990]) {
      const { rows, writer } = indexOf(1200);
      writer.deleteAbove(Math.min(block, 1200), 1200);
      const other = new EventIndexWriter(rows);
      const forked = Math.min(block, 1200) + 1;
      for (let next = forked; next <= LATEST; next++) other.insert(next, eventsOf(next, 1));
      const expected = indexOf(LATEST, forked).rows.range(0, END_OF_PLACES);
      expect(rows.range(0, END_OF_PLACES)).toEqual(expected);
    }
  });

  test("deleteAbove changes nothing at or above the newest block", () => {
    const { rows, writer } = indexOf(40);
    const before = rows.range(0, END_OF_PLACES);
    writer.deleteAbove(40, 40);
    writer.deleteAbove(41, 40);
    expect(rows.range(0, END_OF_PLACES)).toEqual(before);
  });

  test("builds an index of many items in portions", () => {
    const { rows, writer } = indexOf(-1);
    const count = bySize({ quick: 28_000, full: 45_000 }); // More than the 4 MiB of a portion.
    const wide = (block: number): Event[] => [
      {
        fromAddress: 1n,
        keys: Array.from({ length: count }, (_, i) => BigInt(block * count + i)),
        data: [],
      },
    ];
    for (let block = 0; block < 32; block++) writer.insert(block, wide(block));
    const wanted = [0, 17, 31].flatMap((block) =>
      [...eventItems(wide(block)).subarray(0, 50)].map((item) => ({ block, item })),
    );
    const looked = new Set(wanted.map(({ item }) => item));
    const found = new Map<number, number[]>();
    for (const [item, offsets] of itemsOf(rows.range(0, END_OF_PLACES))) {
      if (looked.has(item)) found.set(item, offsets);
    }
    for (const { block, item } of wanted) expect(found.get(item)).toContain(block);
  });
});

describe("mergeShare", () => {
  /** Rows of parts with generated items; `narrow` puts all of them into a few parts. */
  function partRows(random: Random, narrow: boolean): RowsInMemory {
    const rows = new RowsInMemory();
    for (const part of partsOf(0, SEGMENT_BLOCKS - 1)) {
      if (narrow && random.below(8) > 0) continue;
      const blocks = Array.from({ length: part.blocks }, () =>
        Array.from({ length: random.below(120) }, () =>
          narrow ? 5_000 + random.below(3_000) : random.below(2 ** 31) * 2,
        ),
      );
      for (const row of rowsOf(part, (block) => new Set(blocks[block - part.first]))) {
        rows.insert(row.place, row);
      }
    }
    return rows;
  }

  test("yields the same rows in shares of any size, and limits the reads per share", () => {
    for (const narrow of [false, true]) {
      const random = createRandom(narrow ? 2 : 1);
      const source = partRows(random, narrow).range(0, END_OF_PLACES);
      const parts = partsOf(0, SEGMENT_BLOCKS - 1).map((part) => ({
        ...part,
        rows: source.filter(({ place }) => place === placeOf(part)),
      }));
      const [whole] = redistribute(parts, [{ first: 0, blocks: SEGMENT_BLOCKS }]);
      for (const share of [1, 2, 50, Number.POSITIVE_INFINITY]) {
        const counted = new CountedRows();
        for (const row of source) counted.insert(row.place, row);
        const most = Math.ceil(source.length / share);
        for (let i = 0; i < source.length + 1; i++) {
          counted.reads = 0;
          const before = counted.count(0, 1);
          mergeShare(counted, 0, share);
          // A started item is looked up again: at most twice per part; each part ends one item.
          expect(counted.reads).toBeLessThanOrEqual(share + 4 * 32);
          if (i > most && counted.count(0, 1) === before) break;
        }
        const made = counted.range(0, 1).map(({ item, entries }) => ({ item, entries }));
        expect(made).toEqual([...(whole?.rows ?? [])]);
      }
    }
  });

  test("rejects rows with blocks beyond a part", () => {
    const rows = new RowsInMemory();
    rows.insert(1, { item: 0, entries: Uint8Array.of(1, 0, 64) });
    expect(() => mergeShare(rows, 0, 1)).toThrow(DecodeError);
  });
});

/** Counts row reads. */
class CountedRows extends RowsInMemory {
  reads = 0;

  override rowOf(place: number, item: number) {
    this.reads++;
    return super.rowOf(place, item);
  }

  override rowBehind(place: number, item: number) {
    this.reads++;
    return super.rowBehind(place, item);
  }
}

describe("EventIndexWriter.adopt", () => {
  /** Index with complete full segments, as older versions stored it. */
  function earlier(latest: number): RowsInMemory {
    const items = (block: number) => eventItems(eventsOf(block));
    const rows = new RowsInMemory();
    const full = newestFull(latest);
    const open = full === undefined ? 0 : full + SEGMENT_BLOCKS;
    for (let first = 0; first < open; first += SEGMENT_BLOCKS) {
      for (const row of rowsOf({ first, blocks: SEGMENT_BLOCKS }, items)) rows.insert(first, row);
    }
    for (const part of partsOf(open, latest)) {
      for (const row of rowsOf(part, items)) rows.insert(part.first, row);
    }
    return rows;
  }

  test("converts an older index to the current layout, idempotently", () => {
    const sizes = [-1, 0, 40, 1022, 1023, 1024, 1100, 1151, 1160, 1183, 1184, 2047, LATEST];
    for (const latest of sizes) {
      const rows = earlier(latest);
      const expected = indexOf(latest).rows.range(0, END_OF_PLACES);
      for (let time = 0; time < 2; time++) {
        new EventIndexWriter(rows).adopt(latest);
        expect([latest, rows.range(0, END_OF_PLACES)]).toEqual([latest, expected]);
      }
    }
  });
});

test("rejects rows with blocks beyond a segment", () => {
  const { rows, insert } = indexOf(30);
  // Item 1 at offset 1024 (2048 is a bitmap's; 1023 + 1 in two steps).
  rows.delete(30, 0);
  rows.insert(30, { item: 0, entries: Uint8Array.of(1, 0, 0xff, 0x0f, 0x02) });
  expect(() => insert(31)).toThrow(DecodeError);
});

test("rejects rows with blocks just beyond a segment", () => {
  const { rows, insert } = indexOf(30);
  rows.delete(30, 0);
  // Block 30 with offset 994 is 1024, one past the last.
  rows.insert(30, { item: 0, entries: Uint8Array.of(1, 0, 0xc4, 0x0f) });
  expect(() => insert(31)).toThrow(DecodeError);
});
