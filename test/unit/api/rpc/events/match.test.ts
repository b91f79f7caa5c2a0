import { describe, expect, test } from "bun:test";
import { eventMatcher } from "#api/rpc/events/match.ts";

const event = { fromAddress: 7n, keys: [1n, 2n, 3n], data: [9n] };
const matches = (addresses: bigint[], keys: bigint[][]) => eventMatcher({ addresses, keys })(event);

describe("an event matches", () => {
  for (const [what, addresses, keys] of [
    ["a filter that asks for nothing", [], []],
    ["its address", [7n], []],
    ["one of several addresses", [8n, 7n], []],
    ["its first keys", [], [[1n], [2n]]],
    ["one of several keys at a position", [], [[5n, 1n], [], [4n, 3n]]],
    ["any key at an empty position", [], [[], [2n]]],
    ["empty positions behind its last key", [], [[1n], [], [], [], []]],
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

describe("an event does not match", () => {
  for (const [what, addresses, keys] of [
    ["another address", [8n], []],
    ["a key at another position", [], [[2n]]],
    ["its keys under another address", [8n], [[1n]]],
    ["a key behind its last one", [], [[], [], [], [3n]]],
    ["its data", [], [[9n]]],
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
