import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { decodeToken, encodeToken, type EventToken } from "#api/rpc/events/token.ts";
import type { EventFilter } from "#api/rpc/spec/version.ts";
import { eventFilterWith } from "#test/helpers/event-world.ts";
import { assertProperty } from "#test/helpers/property.ts";

const CHAIN = 0x534e5f54455354n;
const DIGEST = Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8);
const CONTENTS: EventToken = {
  position: { blockNumber: 300, transactionIndex: 2, eventIndex: 5 },
  binding: { anchor: 299, digest: DIGEST },
};
const FILTER = eventFilterWith({
  fromBlock: { kind: "number", number: 1 },
  toBlock: { kind: "latest" },
  addresses: [5n, 6n],
  keys: [[1n, 2n], [], [3n]],
});
const TOKEN = encodeToken(CHAIN, FILTER, CONTENTS);

test("a token decodes to what it encodes", () => {
  const counts = fc.nat({ max: Number.MAX_SAFE_INTEGER });
  const anchors = fc.integer({ min: -1, max: Number.MAX_SAFE_INTEGER - 1 });
  const digests = fc.uint8Array({ minLength: 8, maxLength: 8 });
  assertProperty(
    fc.property(counts, counts, counts, anchors, digests, (b, t, e, anchor, digest) => {
      const position = { blockNumber: b, transactionIndex: t, eventIndex: e };
      const contents = { position, binding: { anchor, digest } };
      expect(decodeToken(CHAIN, FILTER, encodeToken(CHAIN, FILTER, contents))).toEqual(contents);
    }),
  );
});

test("a token consists of its version, LEB128 position, binding and 8 check bytes", () => {
  expect(TOKEN).toMatch(/^02ac020205ac020102030405060708[0-9a-f]{16}$/);
  const none = { ...CONTENTS, binding: { anchor: -1, digest: DIGEST } };
  expect(encodeToken(CHAIN, FILTER, none)).toMatch(/^02ac020205000102030405060708[0-9a-f]{16}$/);
});

describe("a token fits the same filter", () => {
  for (const [what, parts] of [
    ["with another page size", { chunkSize: 3 }],
    ["with its addresses in another order and twice", { addresses: [6n, 5n, 6n] }],
    ["with its keys in another order", { keys: [[2n, 1n], [], [3n]] }],
    ["with empty positions after the last key", { keys: [[1n, 2n], [], [3n], [], []] }],
  ] as const satisfies readonly (readonly [string, Partial<EventFilter>])[]) {
    test(what, () => {
      expect(decodeToken(CHAIN, { ...FILTER, ...parts }, TOKEN)).toEqual(CONTENTS);
    });
  }
});

describe("a token does not fit a filter", () => {
  const { fromBlock: _, ...withoutFrom } = FILTER;
  for (const [what, filter] of [
    ["with another first block", { ...FILTER, fromBlock: { kind: "number", number: 2 } }],
    ["without a first block", withoutFrom],
    ["with a hash equal to the block number", { ...FILTER, fromBlock: { kind: "hash", hash: 1n } }],
    ["with another last block", { ...FILTER, toBlock: { kind: "pre_confirmed" } }],
    ["with fewer addresses", { ...FILTER, addresses: [5n] }],
    ["without addresses", { ...FILTER, addresses: [] }],
    ["with other first keys", { ...FILTER, keys: [[1n], [], [3n]] }],
    ["with other keys", { ...FILTER, keys: [[1n, 2n], [], [4n]] }],
    ["with keys at other positions", { ...FILTER, keys: [[1n, 2n], [3n]] }],
    ["with all keys at one position", { ...FILTER, keys: [[1n, 2n, 3n]] }],
  ] as const satisfies readonly (readonly [string, EventFilter])[]) {
    test(what, () => {
      expect(decodeToken(CHAIN, filter, TOKEN)).toBeUndefined();
    });
  }

  test("of another chain", () => {
    expect(decodeToken(CHAIN + 1n, FILTER, TOKEN)).toBeUndefined();
  });
});

describe("decodeToken rejects", () => {
  for (const text of [
    "",
    "0",
    "00",
    "4-0",
    "zz",
    TOKEN.toUpperCase(),
    `${TOKEN}00`,
    `0x${TOKEN}`,
  ]) {
    test(JSON.stringify(text), () => {
      expect(decodeToken(CHAIN, FILTER, text)).toBeUndefined();
    });
  }

  test("a token with any digit changed", () => {
    for (let i = 0; i < TOKEN.length; i++) {
      const digit = ((Number.parseInt(TOKEN[i] ?? "", 16) + 1) % 16).toString(16);
      const changed = TOKEN.slice(0, i) + digit + TOKEN.slice(i + 1);
      expect([i, decodeToken(CHAIN, FILTER, changed)]).toEqual([i, undefined]);
    }
  });

  test("any prefix of a token", () => {
    for (let length = 0; length < TOKEN.length; length++) {
      expect(decodeToken(CHAIN, FILTER, TOKEN.slice(0, length))).toBeUndefined();
    }
  });

  test("any other string", () => {
    assertProperty(
      fc.property(
        fc.oneof(fc.string(), fc.base64String(), fc.stringMatching(/^([0-9a-f]{2})*$/)),
        (t) => {
          expect(decodeToken(CHAIN, FILTER, t)).toBeUndefined();
        },
      ),
    );
  });

  test("a megabyte of digits", () => {
    expect(decodeToken(CHAIN, FILTER, "01".repeat(2 ** 19))).toBeUndefined();
  });
});
