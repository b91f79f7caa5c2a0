import { describe, expect, test } from "bun:test";
import { MAX_PAUSE_MS, MAX_PAUSES, PAUSE_MEMORY_MS, Pauses } from "#services/admission/pauses.ts";

describe("pauses", () => {
  test("double each time, up to the maximum", () => {
    const pauses = new Pauses(2_000);
    let nowMs = 0;
    const lengths = Array.from({ length: 13 }, () => {
      const { endsAtMs } = pauses.begin(1n, nowMs);
      const length = endsAtMs - nowMs;
      nowMs = endsAtMs;
      return length / 1000;
    });
    expect(lengths).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 3600, 3600]);
  });

  test("end after their length", () => {
    const pauses = new Pauses(2_000);
    pauses.begin(1n, 500);
    expect([500, 2_499, 2_500, 9_000].map((nowMs) => pauses.leftMs(1n, nowMs))).toEqual([
      2_000, 1, 0, 0,
    ]);
    expect(pauses.leftMs(2n, 500)).toBe(0);
  });

  test("restart at the initial length long after the last one", () => {
    const pauses = new Pauses(2_000);
    pauses.begin(1n, 0);
    expect(pauses.begin(1n, 2_000 + PAUSE_MEMORY_MS - 1).drops).toBe(2);
    const { endsAtMs } = pauses.begin(2n, 0);
    expect(pauses.begin(2n, endsAtMs + PAUSE_MEMORY_MS).drops).toBe(1);
  });

  test("are capped when the clock is set back", () => {
    const pauses = new Pauses(2_000);
    pauses.begin(1n, 1_000_000);
    expect(pauses.leftMs(1n, 0)).toBe(2_000);
    pauses.set(2n, { drops: 40, endsAtMs: Number.MAX_SAFE_INTEGER });
    expect(pauses.leftMs(2n, 0)).toBe(MAX_PAUSE_MS);
  });

  test("are limited in number, and the oldest is forgotten", () => {
    const pauses = new Pauses(2_000);
    for (let key = 0n; key <= MAX_PAUSES; key++) pauses.begin(key, 0);
    expect([0n, 1n, BigInt(MAX_PAUSES)].map((key) => pauses.has(key))).toEqual([false, true, true]);
  });
});
