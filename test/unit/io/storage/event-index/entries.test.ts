import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { DecodeError } from "#base/errors/index.ts";
import {
  ROW_BYTES,
  RowCursor,
  RowsWriter,
  type SegmentRow,
} from "#io/storage/event-index/entries.ts";
import { assertProperty } from "#test/helpers/property.ts";

type Entries = readonly (readonly [item: number, offsets: readonly number[]])[];

function rowsOf(entries: Entries): readonly SegmentRow[] {
  const writer = new RowsWriter();
  for (const [item, offsets] of entries) {
    // Offsets beyond the count are ignored.
    writer.add(item, Uint16Array.from([...offsets, 9]), offsets.length);
  }
  return writer.finish();
}

function readAll(rows: readonly SegmentRow[]): [number, number[]][] {
  const found: [number, number[]][] = [];
  for (const row of rows) {
    const cursor = new RowCursor(row);
    while (cursor.next()) {
      const offsets: number[] = [];
      cursor.read((offset) => offsets.push(offset));
      found.push([cursor.item, offsets]);
    }
  }
  return found;
}

const offsetLists = fc
  .oneof(
    fc.uniqueArray(fc.nat({ max: 1023 }), { minLength: 1, maxLength: 4 }),
    fc.uniqueArray(fc.nat({ max: 1023 }), { minLength: 1, maxLength: 400 }),
  )
  .map((offsets) => offsets.toSorted((a, b) => a - b));

const entries: fc.Arbitrary<Entries> = fc
  .uniqueArray(fc.tuple(fc.nat({ max: 2 ** 32 - 1 }), offsetLists), {
    selector: ([item]) => item,
    maxLength: 200,
  })
  .map((all) => all.toSorted(([a], [b]) => a - b));

const hex = (rows: readonly SegmentRow[]): (readonly [number, string])[] =>
  rows.map((row) => [row.item, row.entries.toHex()]);

describe("the encoding of a row", () => {
  test("is a version and items with lists of offsets", () => {
    // Version 1; item 5: offset 3 (6, the last); item 305: 0 (1, more), +2 (5, more), +1000
    // (2000, the last).
    const all: Entries = [
      [5, [3]],
      [305, [0, 2, 1002]],
    ];
    expect(hex(rowsOf(all))).toEqual([[0, "01" + "05" + "06" + "ac02" + "01" + "05" + "d00f"]]);
  });

  test("uses a bitmap where that is shorter", () => {
    // Item 2^32 - 1; 2048 + 2; offsets 0 to 2 and 8 to 13.
    const all: Entries = [[2 ** 32 - 1, [0, 1, 2, 8, 9, 10, 11, 12, 13]]];
    expect(hex(rowsOf(all))).toEqual([[0, "01" + "ffffffff0f" + "8210" + "073f"]]);
  });

  test("uses a list where a bitmap is as long", () => {
    const all: Entries = [[1, [0, 1, 2]]];
    expect(hex(rowsOf(all))).toEqual([[0, "01" + "01" + "01" + "03" + "02"]]);
  });
});

describe("event index rows", () => {
  test("read back what was written, within the size limit", () => {
    assertProperty(
      fc.property(entries, (all) => {
        const rows = rowsOf(all);
        expect(readAll(rows)).toEqual(all.map(([item, offsets]) => [item, [...offsets]]));
        for (const row of rows) expect(row.entries.length).toBeLessThanOrEqual(ROW_BYTES);
      }),
    );
  });

  test("start with their first item, the first row with 0", () => {
    assertProperty(
      fc.property(entries, (all) => {
        const rows = rowsOf(all);
        const firsts = rows.map((row) => readAll([row])[0]?.[0]);
        expect(rows.map(({ item }) => item)).toEqual(firsts.map((item, i) => (i && item) || 0));
      }),
    );
  });

  test("do not exist without entries", () => {
    expect(rowsOf([])).toEqual([]);
  });

  test("are searched in ascending order, whether matches are read or not", () => {
    assertProperty(
      fc.property(
        entries,
        fc.array(fc.tuple(fc.nat({ max: 2 ** 32 - 1 }), fc.boolean())),
        (all, asked) => {
          const [row] = rowsOf(all);
          if (row === undefined) return;
          const inRow = readAll([row]);
          const cursor = new RowCursor(row);
          let read = -1;
          for (const [item, isRead] of asked.toSorted(([a], [b]) => a - b)) {
            const expected = inRow.find((entry) => entry[0] >= item && entry[0] > read);
            expect(cursor.seek(item)).toBe(expected !== undefined);
            if (expected === undefined) continue;
            expect(cursor.item).toBe(expected[0]);
            if (!isRead) continue;
            const offsets: number[] = [];
            cursor.read((offset) => offsets.push(offset));
            expect(offsets).toEqual(expected[1]);
            read = expected[0];
          }
        },
      ),
    );
  });
});

describe("RowCursor of a damaged row", () => {
  const whole = rowsOf([
    [5, [3]],
    [70_000, Array.from({ length: 200 }, (_, i) => 2 * i)],
  ])[0] ?? { item: 0, entries: new Uint8Array() };
  const read = (bytes: Uint8Array) => readAll([{ item: 0, entries: bytes }]);

  test("rejects an unknown version", () => {
    for (const bytes of [new Uint8Array(), Uint8Array.of(2, 1, 1), Uint8Array.of(0)]) {
      expect(() => read(bytes)).toThrow(DecodeError);
    }
  });

  test("rejects most truncated rows and reads fewer entries of the others", () => {
    for (let length = 1; length < whole.entries.length; length++) {
      const bytes = whole.entries.slice(0, length);
      if (length === 1 || length === 3) expect(read(bytes).length).toBeLessThan(2);
      else expect(() => read(bytes)).toThrow(DecodeError);
    }
  });

  test("rejects a number of too many bytes", () => {
    expect(() => read(Uint8Array.of(1, ...Array.from({ length: 9 }, () => 0xff)))).toThrow(
      "at most 5 bytes",
    );
  });

  test("terminates on any bytes", () => {
    assertProperty(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        try {
          expect(read(Uint8Array.of(1, ...bytes)).length).toBeLessThanOrEqual(bytes.length);
        } catch (error) {
          expect(error).toBeInstanceOf(DecodeError);
        }
      }),
    );
  });
});
