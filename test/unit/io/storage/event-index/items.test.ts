import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { bytesFromFelt } from "#base/primitives/index.ts";
import { eventItems, queryItems } from "#io/storage/event-index/items.ts";
import type { Event } from "#protocol/chain/index.ts";
import { events } from "#test/helpers/arbitraries.ts";
import { assertProperty } from "#test/helpers/property.ts";
import { xxHash32 } from "#test/helpers/reference/xxhash32.ts";

const ANY = xxHash32(bytesFromFelt(0n), 0);
const addressItem = (address: bigint): number => xxHash32(bytesFromFelt(address), 1);
const keyItem = (position: number, key: bigint): number =>
  xxHash32(bytesFromFelt(key), 2 + position);

/** Items of events, computed one by one. */
function naiveItems(all: readonly Event[]): number[] {
  const items = all.flatMap(({ fromAddress, keys }) => [
    ANY,
    addressItem(fromAddress),
    ...keys.map((key, position) => keyItem(position, key)),
  ]);
  return [...new Set(items)].sort((a, b) => a - b);
}

test("the xxHash32 reference reproduces published hashes", () => {
  const encoder = new TextEncoder();
  // From the tests and the documentation of the reference implementation.
  expect(xxHash32(new Uint8Array(), 0)).toBe(0x02cc5d05);
  expect(xxHash32(encoder.encode("a"), 0)).toBe(0x550d7456);
  expect(xxHash32(encoder.encode("abc"), 0)).toBe(0x32d153ff);
  expect(xxHash32(encoder.encode("Nobody inspects the spammish repetition"), 0)).toBe(0xe2293b2f);
});

describe("eventItems", () => {
  test("returns addresses and positioned keys, each once and in order", () => {
    assertProperty(
      fc.property(fc.array(events, { maxLength: 8 }), (all) => {
        expect([...eventItems([...all, ...all])]).toEqual(naiveItems(all));
      }),
    );
  });

  test("returns nothing without events", () => {
    expect([...eventItems([])]).toEqual([]);
  });

  test("distinguishes felts that differ only in their highest bits", () => {
    const high = 1n << 250n;
    const event = { fromAddress: 7n, keys: [], data: [] };
    expect(eventItems([event, { ...event, fromAddress: 7n + high }]).length).toBe(3);
  });
});

describe("queryItems", () => {
  const groups = (addresses: bigint[], keys: bigint[][]): number[][] =>
    queryItems({ addresses, keys }).map((group) => [...group]);

  test("returns the item of any event for an empty query", () => {
    expect(groups([], [])).toEqual([[ANY]]);
    expect(groups([], [[], []])).toEqual([[ANY]]);
  });

  test("returns the alternatives, smallest group first, each once and in order", () => {
    const twoKeys = [keyItem(2, 5n), keyItem(2, 6n)].sort((a, b) => a - b);
    expect(groups([9n], [[], [], [6n, 5n, 6n], [3n]])).toEqual([
      [addressItem(9n)],
      [keyItem(3, 3n)],
      twoKeys,
    ]);
  });
});
