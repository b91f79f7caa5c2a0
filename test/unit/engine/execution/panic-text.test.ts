import { describe, expect, test } from "bun:test";
import { feltFromShortString } from "#base/primitives/index.ts";
import { panicDataText, TRACE_LENGTH_CAP } from "#engine/execution/call/panic-text.ts";

const BYTE_ARRAY = 0x46a6158a16a947e5916b2a2ca68501a45e93d7110e81aa2d6438b1c57c879a3n;

describe("panicDataText", () => {
  test.each([
    ["a short string", [feltFromShortString("abc")], "0x616263 ('abc')"],
    ["a number that is not text", [1n], "0x1"],
    ["zero", [0n], "0x0 ('')"],
    ["several felts", [1n, feltFromShortString("a")], "(0x1, 0x61 ('a'))"],
    ["nothing", [], "()"],
    ["a byte array", [BYTE_ARRAY, 0n, feltFromShortString("hello"), 5n], '"hello"'],
    [
      "a byte array with a full word",
      [BYTE_ARRAY, 1n, feltFromShortString("a".repeat(31)), feltFromShortString("b"), 1n],
      `"${"a".repeat(31)}b"`,
    ],
    ["a byte array with a zero byte", [BYTE_ARRAY, 0n, 0x6100n, 2n], String.raw`"a\0"`],
    ["a byte array with an unreadable byte", [BYTE_ARRAY, 0n, 0x6101n, 2n], String.raw`"a\x01"`],
    ["a broken byte array", [BYTE_ARRAY, 5n, 1n], `(0x${BYTE_ARRAY.toString(16)}, 0x5, 0x1)`],
  ] as const)("shows %s", (_, felts, text) => {
    expect(panicDataText(felts)).toBe(text);
  });

  const LONG_TEXT = Array.from({ length: 1000 }, () => feltFromShortString("a".repeat(31)));

  test.each([
    ["numbers", Array.from({ length: 200_000 }, (_, i) => BigInt(i)), "(0x0 (''), 0x1, 0x2"],
    ["a byte array", [BYTE_ARRAY, 1000n, ...LONG_TEXT, 0n, 0n], `"${"a".repeat(31)}`],
    ["a byte array before others", [BYTE_ARRAY, 1000n, ...LONG_TEXT, 0n, 0n, 1n], '("aaa'],
  ])("truncates long data made of %s after its beginning", (_, felts, start) => {
    const text = panicDataText(felts);
    expect(text).toStartWith(start);
    expect(text.length).toBeGreaterThan(TRACE_LENGTH_CAP);
    expect(text.length).toBeLessThan(2 * TRACE_LENGTH_CAP);
  });

  test("shows a long byte array with an invalid end as felts", () => {
    const felts = [BYTE_ARRAY, 1000n, ...LONG_TEXT, 0n, 32n];
    expect(panicDataText(felts)).toStartWith(`(0x${BYTE_ARRAY.toString(16)}, 0x3e8`);
  });
});
