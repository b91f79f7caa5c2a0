import { describe, expect, test } from "bun:test";
import { MAX_ADDRESSES, RateLimiter } from "#api/rpc/limits/rate-limiter.ts";

/** Limiter with a test-controlled clock. */
function limiterOf(perSecond: number, burst: number, maxAddresses = MAX_ADDRESSES) {
  const clock = { nowMs: 0 };
  const limiter = new RateLimiter({ perSecond, burst }, () => clock.nowMs, maxAddresses);
  const allowed = (address: string, tries: number): number =>
    Array.from({ length: tries }, () => limiter.take(address)).filter((wait) => wait === undefined)
      .length;
  return { limiter, clock, allowed };
}

describe("RateLimiter for one address", () => {
  test("allows a burst of calls, then the rate per second", () => {
    const { clock, allowed } = limiterOf(10, 30);
    expect(allowed("a", 31)).toBe(30);
    clock.nowMs = 1_000;
    expect(allowed("a", 50)).toBe(10);
    clock.nowMs = 1_099;
    expect(allowed("a", 1)).toBe(0);
    clock.nowMs = 1_100;
    expect(allowed("a", 2)).toBe(1);
  });

  test("saves up at most one burst", () => {
    const { clock, allowed } = limiterOf(10, 30);
    allowed("a", 30);
    clock.nowMs = 3_600_000;
    expect(allowed("a", 100)).toBe(30);
  });

  test("does not affect other addresses", () => {
    const { allowed } = limiterOf(1, 1);
    expect([allowed("a", 5), allowed("b", 5)]).toEqual([1, 1]);
  });

  test("returns the whole seconds to wait, after which a call succeeds", () => {
    const { limiter, clock } = limiterOf(0.25, 1);
    limiter.take("a");
    expect(limiter.take("a")).toBe(4);
    clock.nowMs = 3_001;
    expect(limiter.take("a")).toBe(1);
    clock.nowMs = 4_000;
    expect(limiter.take("a")).toBeUndefined();
  });

  test("charges a batch afterwards", () => {
    const { limiter, clock } = limiterOf(10, 30);
    expect(limiter.take("a")).toBeUndefined();
    limiter.charge("a", 99);
    expect(limiter.take("a")).toBe(8);
    clock.nowMs = 7_099;
    expect(limiter.take("a")).toBe(1);
    clock.nowMs = 7_100;
    expect(limiter.take("a")).toBeUndefined();
  });

  test("does not extend the wait for refused calls", () => {
    const { clock, allowed } = limiterOf(1, 1);
    allowed("a", 1_000);
    clock.nowMs = 1_000;
    expect(allowed("a", 1)).toBe(1);
  });
});

describe("RateLimiter for many addresses", () => {
  test("evicts the address that was quiet the longest", () => {
    const { limiter, allowed } = limiterOf(1, 1, 3);
    for (const address of ["a", "b", "c", "a", "d"]) allowed(address, 2);
    expect(limiter.size).toBe(3);
    expect(["a", "c", "d"].map((address) => allowed(address, 1))).toEqual([0, 0, 0]);
    expect(allowed("b", 1)).toBe(1);
  });

  test("stays within its size limit during a flood", () => {
    const { limiter } = limiterOf(1, 1, 1_000);
    for (let i = 0; i < 20_000; i++) limiter.take(`10.0.${i >> 8}.${i & 255}`);
    expect(limiter.size).toBe(1_000);
  });
});
