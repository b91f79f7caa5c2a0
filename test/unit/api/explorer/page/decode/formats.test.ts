import { describe, expect, test } from "bun:test";
import { shortString, shortStringFelt } from "#api/explorer/page/abi/scalar-text.ts";
import {
  decimalText,
  feeText,
  gasText,
  integerOf,
  tokenText,
} from "#api/explorer/page/decode/amounts.ts";
import { ageText, durationText, timeText } from "#api/explorer/page/decode/times.ts";
import { shortFelt, visibleText } from "#api/explorer/page/decode/visible-text.ts";

describe("amounts", () => {
  test.each<[bigint, number, string]>([
    [0n, 18, "0"],
    [1n, 18, "0.000000000000000001"],
    [1_234_567_890_000_000_000_000n, 18, "1,234.56789"],
    [-1_500n, 3, "-1.5"],
    [1_234_567n, 0, "1,234,567"],
    [
      (1n << 256n) - 1n,
      0,
      "115,792,089,237,316,195,423,570,985,008,687,907,853,269,984,665,640,564,039,457,584,007,913,129,639,935",
    ],
    [5n, 10_000, "5"],
    [5n, -1, "5"],
    [5n, Number.NaN, "5"],
  ])("%p with %p decimals is exact", (value, decimals, text) => {
    expect(decimalText(value, decimals)).toBe(text);
  });

  test("an ellipsis shows that digits were cut", () => {
    expect(decimalText(1_234_567n, 6, 2)).toBe("1.23…");
    expect(decimalText(1n, 6, 2)).toBe("0.00…");
  });

  test.each([
    ["0x14d1120d7b160000", "FRI", "1.5 STRK"],
    ["3000000000", "WEI", "3 Gwei"],
    ["12", "FRI", "12 fri"],
    ["0x0", "FRI", "0 fri"],
    ["<b>", "FRI", "unknown"],
  ])("fee %p of unit %p", (amount, unit, text) => {
    expect(feeText(amount, unit)).toBe(text);
  });

  test("amounts of tokens and gas have their units", () => {
    expect(tokenText(15n, 1, "ABC")).toBe("1.5 ABC");
    expect(gasText(1_234_567)).toBe("1,234,567 gas");
  });

  test.each([[null], [1.5], ["1e5"], ["9".repeat(200)], [{}]])(
    "reads %p as no integer",
    (value) => {
      expect(integerOf(value)).toBeUndefined();
    },
  );
});

describe("texts", () => {
  test.each([
    ["a\u202eb", "a\\u{202e}b"],
    ["\u0000\u001b[31m", "\\u{0}\\u{1b}[31m"],
    ["\u200b\u2066\ufeff\u00ad", "\\u{200b}\\u{2066}\\u{feff}\\u{ad}"],
    ["\u{e0041}", "\\u{e0041}"],
    ["\u3164\u2800", "\\u{3164}\\u{2800}"],
    ["\ud800x", "\\u{d800}x"],
    ["two\nlines\tkept", "two\nlines\tkept"],
    ["<script>alert(1)</script>", "<script>alert(1)</script>"],
    ["żółw 漢字 😀 é", "żółw 漢字 😀 é"],
  ])("shows the hidden characters of %p", (text, shown) => {
    expect(visibleText(text)).toBe(shown);
  });

  test("cuts long texts with their length, and stacks of marks", () => {
    expect(visibleText("a".repeat(5_000_000), 3)).toBe("aaa… (5000000 characters)");
    expect(visibleText(`a${"\u0301".repeat(1_000)}`)).toBe(`a${"\u0301".repeat(4)}`);
  });

  test("shortens felts", () => {
    expect(shortFelt("0x4718f5a0fc34cc1af16a1cdee98ffb20c31f5cd61d6ab07201858f4287c938d")).toBe(
      "0x4718…938d",
    );
    expect(shortFelt("0x12")).toBe("0x12");
  });

  test.each([
    ["0x6e6f", "no"],
    ["0x4", undefined],
    ["0x61", undefined],
    ["0x6e0a", undefined],
    ["0x6eff", undefined],
    [`0x${"61".repeat(31)}`, "a".repeat(31)],
    [`0x${"1".repeat(63)}`, undefined],
  ])("short string of %p is %p", (felt, text) => {
    expect(shortString(felt)).toBe(text);
  });

  test("short strings have at most 31 characters of ASCII", () => {
    expect(shortStringFelt("no")).toBe(0x6e6fn);
    expect(shortStringFelt("a".repeat(32))).toBeUndefined();
    expect(shortStringFelt("é")).toBeUndefined();
  });
});

describe("times", () => {
  test.each([
    [350, "350 ms"],
    [12_000, "12 s"],
    [180_000, "3 min"],
    [18_000_000, "5 h"],
    [777_600_000, "9 days"],
    [-5, "0 ms"],
    [Number.NaN, "unknown"],
  ])("duration of %p ms", (ms, text) => {
    expect(durationText(ms)).toBe(text);
  });

  test.each([
    [0, "just now"],
    [12_000, "12 s ago"],
    [-180_000, "in 3 min"],
  ])("age of %p ms", (ms, text) => {
    expect(ageText(ms)).toBe(text);
  });

  test("UTC times name their zone", () => {
    expect(timeText(0, "utc")).toBe("1970-01-01 00:00:00 UTC");
    expect(timeText(8.64e15 + 1, "utc")).toBe("unknown time");
  });
});
