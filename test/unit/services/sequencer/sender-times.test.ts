import { expect, test } from "bun:test";
import fc from "fast-check";
import { HALF_LIFE_MS, MAX_LEVEL, SenderTimes } from "#services/sequencer/sender-times.ts";
import { assertProperty } from "#test/helpers/property.ts";

test("raises a sender above level 0 once its total time exceeds the limit", () => {
  const times = new SenderTimes(100);
  times.add(1n, 60, 0);
  expect(times.levels(0)).toEqual(new Map());
  times.add(1n, 60, 0);
  times.add(2n, 90, 0);
  expect(times.levels(0)).toEqual(new Map([[1n, 1]]));
  expect([times.levelOf(1n, 0), times.levelOf(2n, 0), times.hasRaised(0)]).toEqual([1, 0, true]);
});

test("doubles the time with each level, up to the highest", () => {
  const times = new SenderTimes(100);
  const spentMs = [100, 101, 199, 200, 399, 400, 12_800, 1e9];
  for (const [i, ms] of spentMs.entries()) times.add(BigInt(i), ms, 0);
  const levels = spentMs.map((_, i) => times.levelOf(BigInt(i), 0));
  expect(levels).toEqual([0, 1, 1, 2, 2, 3, MAX_LEVEL, MAX_LEVEL]);
});

test("halves a sender's time in a half-life", () => {
  const times = new SenderTimes(100);
  times.add(1n, 400, 0);
  expect(times.levelOf(1n, HALF_LIFE_MS - 1)).toBe(2);
  expect(times.levelOf(1n, HALF_LIFE_MS + 1)).toBe(1);
  expect(times.hasRaised(2 * HALF_LIFE_MS - 1)).toBe(true);
  expect(times.hasRaised(2 * HALF_LIFE_MS + 1)).toBe(false);
  // The rest counts together with later time.
  times.add(1n, 50, 2 * HALF_LIFE_MS + 1);
  expect(times.levelOf(1n, 2 * HALF_LIFE_MS + 1)).toBe(1);
});

test("keeps senders above level 0 among very many", () => {
  const times = new SenderTimes(100);
  times.add(1n, 10_000, 0);
  for (let sender = 2n; sender < 10_000n; sender++) times.add(sender, 1, 0);
  expect([...times.levels(0).keys()]).toEqual([1n]);
});

test("bounds the number of senders above level 0", () => {
  const times = new SenderTimes(100);
  for (let sender = 1n; sender < 10_000n; sender++) times.add(sender, 1_000, 0);
  expect(times.levels(0).size).toBe(4_096);
  expect(times.levelOf(9_999n, 0)).toBeGreaterThan(0);
});

test("equals a list of all added times", () => {
  const action = fc.record({
    sender: fc.bigInt({ min: 1n, max: 3n }),
    ms: fc.nat(200),
    pauseMs: fc.nat(20_000),
  });
  assertProperty(
    fc.property(fc.array(action, { maxLength: 30 }), (actions) => {
      const times = new SenderTimes(100);
      const spent = new Map<bigint, number>();
      let nowMs = 0;
      for (const { sender, ms, pauseMs } of actions) {
        nowMs += pauseMs;
        for (const [other, one] of spent) spent.set(other, one * 2 ** (-pauseMs / HALF_LIFE_MS));
        spent.set(sender, (spent.get(sender) ?? 0) + ms);
        times.add(sender, ms, nowMs);
        for (const [other, one] of spent) {
          // Sums of powers are not exact.
          if (Math.abs(one - 100) < 1e-6) continue;
          expect(times.levelOf(other, nowMs) > 0).toBe(one > 100);
        }
      }
    }),
  );
});
