import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { formatDurationMs, parseDurationMs } from "#protocol/config/index.ts";
import { assertProperty } from "#test/helpers/property.ts";

describe("durations", () => {
  test("parse each unit, with at most one space", () => {
    expect(["500ms", "30s", "2min", "1h", "30 s", "0ms"].map(parseDurationMs)).toEqual([
      500, 30_000, 120_000, 3_600_000, 30_000, 0,
    ]);
  });

  test("reject fractions, bare numbers, other units and signs", () => {
    for (const text of [
      "1.5s",
      "30",
      "30sec",
      "30m",
      "-1s",
      "+1s",
      "s",
      "",
      "1  s",
      " 1s",
      "1S",
      "1d",
    ]) {
      expect(parseDurationMs(text)).toBeUndefined();
    }
  });

  test("reject values above 2^53 milliseconds", () => {
    expect(parseDurationMs("999999999999999h")).toBeUndefined();
  });

  test("are read back as written", () => {
    assertProperty(
      fc.property(fc.maxSafeNat(), (durationMs) => {
        const text = formatDurationMs(durationMs);
        // 16 digits of milliseconds exceed the format; that is 31 700 years.
        if (/^\d{16}/.test(text)) return;
        expect(parseDurationMs(text)).toBe(durationMs);
      }),
    );
  });

  test("are formatted in the largest whole unit", () => {
    expect([0, 1, 1000, 90_000, 120_000, 7_200_000].map(formatDurationMs)).toEqual([
      "0ms",
      "1ms",
      "1s",
      "90s",
      "2min",
      "2h",
    ]);
  });
});
