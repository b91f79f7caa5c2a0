import { describe, expect, test } from "bun:test";
import { eventMatcher } from "#api/rpc/events/match.ts";

const event = { fromAddress: 7n, keys: [1n, 2n, 3n], data: [9n] };
const matches = (addresses: bigint[], keys: bigint[][]) => eventMatcher({ addresses, keys })(event);

describe("event matcher accepts", () => {
  for (const [what, addresses, keys] of [
    ["any event for an empty filter", [], []],
    ["the address", [7n], []],
    ["one of several addresses", [8n, 7n], []],
    ["the first keys", [], [[1n], [2n]]],
    ["one of several keys at a position", [], [[5n, 1n], [], [4n, 3n]]],
    ["any key at an empty position", [], [[], [2n]]],
    ["empty positions after the last key", [], [[1n], [], [], [], []]],
  ] as const) {
    test(what, () => {
      expect(
        matches(
          [...addresses],
          keys.map((each) => [...each]),
        ),
      ).toBe(true);
    });
  }
});

describe("event matcher rejects", () => {
  for (const [what, addresses, keys] of [
    ["another address", [8n], []],
    ["a key at another position", [], [[2n]]],
    ["the keys with another address", [8n], [[1n]]],
    ["a key after the last one", [], [[], [], [], [3n]]],
    ["data values as keys", [], [[9n]]],
  ] as const) {
    test(what, () => {
      expect(
        matches(
          [...addresses],
          keys.map((each) => [...each]),
        ),
      ).toBe(false);
    });
  }
});
