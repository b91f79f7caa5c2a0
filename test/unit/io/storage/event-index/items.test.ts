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

/** The items of events, one by one. */
function naiveItems(all: readonly Event[]): number[] {
  const items = all.flatMap(({ fromAddress, keys }) => [
    ANY,
    addressItem(fromAddress),
    ...keys.map((key, position) => keyItem(position, key)),
  ]);
  return [...new Set(items)].sort((a, b) => a - b);
}

test("the reference knows the hashes that others know", () => {
  const encoder = new TextEncoder();
  // Of the reference implementation's own tests and its documentation.
  expect(xxHash32(new Uint8Array(), 0)).toBe(0x02cc5d05);
  expect(xxHash32(encoder.encode("a"), 0)).toBe(0x550d7456);
  expect(xxHash32(encoder.encode("abc"), 0)).toBe(0x32d153ff);
  expect(xxHash32(encoder.encode("Nobody inspects the spammish repetition"), 0)).toBe(0xe2293b2f);
});

describe("the items of events", () => {
  test("are their addresses and their keys by position, each once, in order", () => {
    assertProperty(
      fc.property(fc.array(events, { maxLength: 8 }), (all) => {
        expect([...eventItems([...all, ...all])]).toEqual(naiveItems(all));
      }),
    );
  });

  test("are none where there are no events", () => {
    expect([...eventItems([])]).toEqual([]);
  });

  test("tell felts apart that differ in their highest bits only", () => {
    const high = 1n << 250n;
    const event = { fromAddress: 7n, keys: [], data: [] };
    expect(eventItems([event, { ...event, fromAddress: 7n + high }]).length).toBe(3);
  });
});

describe("the items of a query", () => {
  const groups = (addresses: bigint[], keys: bigint[][]): number[][] =>
    queryItems({ addresses, keys }).map((group) => [...group]);

  test("are those of any event where it asks for nothing", () => {
    expect(groups([], [])).toEqual([[ANY]]);
    expect(groups([], [[], []])).toEqual([[ANY]]);
  });

  test("are its alternatives, few first, each once, in order", () => {
    const twoKeys = [keyItem(2, 5n), keyItem(2, 6n)].sort((a, b) => a - b);
    expect(groups([9n], [[], [], [6n, 5n, 6n], [3n]])).toEqual([
      [addressItem(9n)],
      [keyItem(3, 3n)],
      twoKeys,
    ]);
  });
});
