import { expect, test } from "bun:test";
import fc from "fast-check";
import { BlockSet } from "#io/storage/event-index/bitmap.ts";
import { assertProperty } from "#test/helpers/property.ts";

const sizes = fc.constantFrom(1, 32, 1024);
const offsets = fc.array(fc.nat({ max: 1023 }), { maxLength: 40 });

function setOf(size: number, all: readonly number[]): BlockSet {
  const set = new BlockSet(size);
  for (const offset of all) if (offset < size) set.add(offset);
  return set;
}

test("BlockSet.next finds the next block of a range", () => {
  assertProperty(
    fc.property(sizes, offsets, fc.nat(1023), fc.nat(1023), (size, all, from, to) => {
      const last = Math.min(to, size - 1);
      const expected = all.filter((each) => each >= from && each <= last).sort((a, b) => a - b)[0];
      expect(setOf(size, all).next(from, last)).toBe(expected);
    }),
    { numRuns: 500 },
  );
});

test("BlockSet.intersect keeps the common blocks of two sets", () => {
  assertProperty(
    fc.property(sizes, offsets, offsets, (size, one, other) => {
      const common = setOf(size, one);
      common.intersect(setOf(size, other));
      const inBoth = new Set(one.filter((each) => each < size && other.includes(each)));
      expect(common.isEmpty).toBe(inBoth.size === 0);
      for (let offset = 0; offset < size; offset++) {
        expect(common.next(offset, offset) === offset).toBe(inBoth.has(offset));
      }
    }),
    { numRuns: 50 },
  );
});
