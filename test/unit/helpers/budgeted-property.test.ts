import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { BudgetedProperty } from "#test/helpers/budgeted-property.ts";

const SEED = { seed: 7 };

/** A property over integers whose cases each advance a fake clock by 10 ms. */
function timed(predicate: (value: number) => boolean) {
  const clock = { nowMs: 0 };
  const tried: number[] = [];
  const property = fc.property(fc.nat(1_000_000), (value) => {
    clock.nowMs += 10;
    tried.push(value);
    return predicate(value);
  });
  return { property, tried, now: () => clock.nowMs };
}

describe("BudgetedProperty", () => {
  test("runs cases until its budget is used up, and passes", () => {
    const { property, tried, now } = timed(() => true);
    fc.assert(new BudgetedProperty(property, 50, 2, now) as fc.IProperty<[number]>, {
      ...SEED,
      numRuns: 1_000,
    });
    expect(tried.length).toBe(6);
  });

  test("runs the minimum number of cases even over budget", () => {
    const { property, tried, now } = timed(() => true);
    fc.assert(new BudgetedProperty(property, 0, 20, now) as fc.IProperty<[number]>, SEED);
    expect(tried.length).toBe(20);
  });

  test("runs all cases when the budget suffices", () => {
    const { property, tried, now } = timed(() => true);
    fc.assert(new BudgetedProperty(property, 10_000, 1, now) as fc.IProperty<[number]>, SEED);
    expect(tried.length).toBe(100);
  });

  test("runs the same cases as an unlimited property", () => {
    const [limited, whole] = [timed(() => true), timed(() => true)];
    const budgeted = new BudgetedProperty(limited.property, 50, 2, limited.now);
    fc.assert(budgeted as fc.IProperty<[number]>, SEED);
    fc.assert(whole.property, SEED);
    expect(limited.tried).toEqual(whole.tried.slice(0, limited.tried.length));
  });

  test("shrinks a failure to its smallest case even over budget", () => {
    const { property, now } = timed((value) => value < 1_000);
    const limited = new BudgetedProperty(property, 0, 20, now) as fc.IProperty<[number]>;
    const { failed, counterexample } = fc.check(limited, SEED);
    expect({ failed, counterexample }).toEqual({ failed: true, counterexample: [1_000] });
  });

  test("fails when the predicate's promise rejects", async () => {
    const property = fc.asyncProperty(fc.nat(), () => Promise.reject(new TypeError("refused")));
    const limited = new BudgetedProperty(property, 0, 1) as unknown as fc.IAsyncProperty<[number]>;
    expect((await fc.check(limited, SEED)).failed).toBe(true);
  });
});
