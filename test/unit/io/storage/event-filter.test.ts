import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Event } from "#protocol/chain/index.ts";
import { eventFilter, eventProbe } from "#io/storage/event-filter.ts";
import { events, felts } from "#test/helpers/arbitraries.ts";
import { assertProperty } from "#test/helpers/property.ts";

const event: Event = { fromAddress: 0xaan, keys: [1n, 2n], data: [3n] };

/** Make the filter long enough that what the tests ask for is not there by chance. */
const others = Array.from({ length: 50 }, (_, i) => ({ ...event, fromAddress: 1000n + BigInt(i) }));

/** Whether a filter over `event` and others says that a query may match. */
function mayMatch(addresses: bigint[], keys: bigint[][]): boolean {
  return eventProbe({ addresses, keys })(eventFilter([event, ...others]));
}

describe("the filter of a block's events", () => {
  test("lets everything pass that asks for nothing", () => {
    expect(mayMatch([], [])).toBe(true);
    expect(mayMatch([], [[], []])).toBe(true);
  });

  test("needs one of the addresses and one of the keys of each position", () => {
    expect(mayMatch([0xbbn, 0xaan], [[], [9n, 2n]])).toBe(true);
    expect(mayMatch([0xbbn, 0xccn], [[], [9n, 2n]])).toBe(false);
    expect(mayMatch([0xaan], [[1n], [9n, 10n]])).toBe(false);
  });

  test("of a block without events rules everything out", () => {
    expect(eventProbe({ addresses: [], keys: [] })(eventFilter([]))).toBe(false);
  });

  test("holds no data", () => {
    expect(mayMatch([3n], [])).toBe(false);
  });

  test("rules out nearly everything else", () => {
    const many = Array.from({ length: 300 }, (_, i) => ({ ...event, fromAddress: BigInt(i) }));
    const filter = eventFilter(many);
    const hits = Array.from({ length: 1000 }, (_, i) => BigInt(1000 + i)).filter((address) =>
      eventProbe({ addresses: [address], keys: [] })(filter),
    );
    expect(hits.length).toBeLessThan(50);
  });

  test("never rules out an event that is there", () => {
    assertProperty(
      fc.property(
        fc.array(events, { minLength: 1, maxLength: 20 }),
        fc.nat(),
        fc.array(felts, { maxLength: 3 }),
        (all, index, more) => {
          const one = all[index % all.length] ?? event;
          const filter = eventFilter(all);
          const keys = one.keys.map((key) => [...more, key]);
          expect(eventProbe({ addresses: [...more, one.fromAddress], keys })(filter)).toBe(true);
        },
      ),
    );
  });
});
