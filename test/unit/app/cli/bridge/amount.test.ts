import { describe, expect, test } from "bun:test";
import { readAmount } from "#app/cli/bridge/amount.ts";
import { ConfigError } from "#base/errors/index.ts";

describe("an amount", () => {
  test.each([
    ["1", 18, 10n ** 18n],
    ["1.5", 18, 15n * 10n ** 17n],
    ["0.000001", 6, 1n],
    ["007.10", 2, 710n],
    ["3", 0, 3n],
    [String(2n ** 256n - 1n), 0, 2n ** 256n - 1n],
  ])("reads %s of a token with %i decimals exactly", (text, decimals, amount) => {
    expect(readAmount(text, decimals)).toBe(amount);
  });

  test.each([
    ["", 18],
    ["0", 18],
    ["0.0", 18],
    ["-1", 18],
    ["+1", 18],
    ["1.", 18],
    [".5", 18],
    ["1e3", 18],
    ["1,5", 18],
    ["0x1", 18],
    ["1.0000001", 6],
    ["1.0", 0],
    [String(2n ** 256n), 0],
    ["9".repeat(79), 0],
  ])("refuses %p of a token with %i decimals", (text, decimals) => {
    expect(() => readAmount(text, decimals)).toThrow(ConfigError);
  });
});
