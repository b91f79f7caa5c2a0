import { expect, test } from "bun:test";
import { TimeBudget } from "#services/admission/time-budget.ts";

test("work is over exactly when its budget is used up", () => {
  let nowMs = 100;
  const budget = new TimeBudget(() => nowMs);
  const seen = budget.run(10, () => {
    nowMs = 109;
    const before = budget.isOver;
    nowMs = 110;
    return [before, budget.isOver];
  });
  expect(seen).toEqual([false, true]);
});

test("outside of work nothing is over, also after work that threw", () => {
  let nowMs = 0;
  const budget = new TimeBudget(() => nowMs);
  expect(() =>
    budget.run(1, () => {
      throw new TypeError("broken");
    }),
  ).toThrow("broken");
  nowMs = 1e9;
  expect(budget.isOver).toBe(false);
});
