import { expect, test } from "bun:test";
import fc from "fast-check";
import { SenderTimes } from "#services/sequencer/sender-times.ts";
import { assertProperty } from "#test/helpers/property.ts";

test("a sender owes once the sum of its times is above the limit", () => {
  const times = new SenderTimes(100);
  times.add(1n, 60, 0);
  expect(times.owing(0)).toEqual([]);
  times.add(1n, 60, 0);
  times.add(2n, 90, 0);
  expect(times.owing(0)).toEqual([1n]);
  expect(times.isOwing(1n, 0)).toBe(true);
  expect(times.isOwing(2n, 0)).toBe(false);
  expect(times.hasOwing(0)).toBe(true);
});

test("debts are forgotten at a tenth of the speed of time", () => {
  const times = new SenderTimes(100);
  times.add(1n, 300, 0);
  expect(times.isOwing(1n, 1_999)).toBe(true);
  expect(times.isOwing(1n, 2_000)).toBe(false);
  expect(times.hasOwing(2_000)).toBe(false);
  // What is left of it counts with what follows.
  times.add(1n, 50, 2_000);
  expect(times.isOwing(1n, 2_499)).toBe(true);
  expect(times.isOwing(1n, 2_500)).toBe(false);
});

test("of very many senders those that owe are remembered", () => {
  const times = new SenderTimes(100);
  times.add(1n, 10_000, 0);
  for (let sender = 2n; sender < 10_000n; sender++) times.add(sender, 1, 0);
  expect(times.owing(0)).toEqual([1n]);
});

test("no number of senders that owe is remembered without end", () => {
  const times = new SenderTimes(100);
  for (let sender = 1n; sender < 10_000n; sender++) times.add(sender, 1_000, 0);
  expect(times.owing(0)).toHaveLength(4_096);
  expect(times.isOwing(9_999n, 0)).toBe(true);
});

test("debts are those of a list of all that was added", () => {
  const action = fc.record({
    sender: fc.bigInt({ min: 1n, max: 3n }),
    ms: fc.nat(200),
    pauseMs: fc.nat(2_000),
  });
  assertProperty(
    fc.property(fc.array(action, { maxLength: 30 }), (actions) => {
      const times = new SenderTimes(100);
      const debts = new Map<bigint, number>();
      let nowMs = 0;
      for (const { sender, ms, pauseMs } of actions) {
        nowMs += pauseMs;
        for (const [other, debt] of debts) debts.set(other, Math.max(0, debt - pauseMs / 10));
        debts.set(sender, (debts.get(sender) ?? 0) + ms);
        times.add(sender, ms, nowMs);
        for (const [other, debt] of debts) {
          // Sums of tenths are not exact.
          if (Math.abs(debt - 100) > 1e-6) expect(times.isOwing(other, nowMs)).toBe(debt > 100);
        }
      }
    }),
  );
});
