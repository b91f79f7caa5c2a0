import { expect, test } from "bun:test";
import fc from "fast-check";
import { FakePrices, POLL_MS, rateOf } from "#test/helpers/l1-prices.ts";
import { assertProperty } from "#test/helpers/property.ts";

const RUNS = 60;
const HOUR_POLLS = 360;

/** A poll's responses, repeated this many times. */
interface Told {
  readonly times: number;
  /** `undefined` for no response. */
  readonly first: number | undefined;
  readonly other: number | undefined;
}

const price = fc.constantFrom(0, 1, 2, 4, 5, 90, 100, 180, 400, 401, 801, 5000, 10_001, 10 ** 9);

const told: fc.Arbitrary<Told> = fc.record({
  times: fc.oneof(
    fc.integer({ min: 1, max: 4 }),
    fc.constantFrom(9, 10, 11, HOUR_POLLS, HOUR_POLLS + 1),
  ),
  first: fc.oneof({ weight: 5, arbitrary: price }, fc.constant(undefined)),
  other: fc.oneof(fc.constant(undefined), price),
});

const apart = (a: number, b: number, times: number): boolean => a > b * times || b > a * times;

/** The rules in their simplest form: every poll and its price is stored. */
class Model {
  current = 0;
  poll = 0;
  takenAt = 0;
  #hour: { readonly poll: number; readonly value: number }[] = [];
  #held: { readonly value: number; readonly polls: number } | undefined;

  next(first: number | undefined, other: number | undefined): void {
    this.poll++;
    if (first === undefined) return;
    const value = Math.max(first, 1);
    this.#hour = this.#hour.filter(({ poll }) => poll >= this.poll - HOUR_POLLS);
    const sorted = this.#hour.map((each) => each.value).sort((a, b) => a - b);
    const median = sorted[Math.floor(sorted.length / 2)];
    if (median !== undefined && apart(value, median, 4)) {
      const isAgain = this.#held !== undefined && !apart(value, this.#held.value, 2);
      this.#held = { value, polls: isAgain ? (this.#held?.polls ?? 0) + 1 : 1 };
      const isConfirmed = other !== undefined && !apart(Math.max(other, 1), value, 2);
      if (this.#held.polls < 10 && !isConfirmed) return;
      this.#hour = [];
    }
    this.#held = undefined;
    this.#hour.push({ poll: this.poll, value });
    this.current = value;
    this.takenAt = this.poll;
  }
}

test("follows the rules of the model for any series of responses", async () => {
  await assertProperty(
    fc.asyncProperty(fc.array(told, { minLength: 1, maxLength: 12 }), async (series) => {
      const prices = new FakePrices();
      const model = new Model();
      const start = { l1GasWei: 100n, l1DataGasWei: undefined };
      const fixed = { l1DataGasWei: 7n, friPerWei: rateOf(1n) };
      const watch = prices.watch({ fixed, oracle: null });
      prices.first = start;
      await watch.first();
      model.next(100, undefined);
      watch.start();
      for (const { times, first, other } of series) {
        prices.first =
          first === undefined ? undefined : { l1GasWei: BigInt(first), l1DataGasWei: undefined };
        prices.other =
          other === undefined ? undefined : { l1GasWei: BigInt(other), l1DataGasWei: undefined };
        for (let i = 0; i < times; i++) {
          await prices.polls(1);
          model.next(first, other);
          expect(prices.reportedPrices.at(-1)?.l1GasWei ?? 100n).toBe(BigInt(model.current));
          expect(watch.ageMs).toBe((model.poll - model.takenAt) * POLL_MS);
        }
      }
      // Each price is reported once.
      const changes = prices.reportedPrices.map(({ l1GasWei }) => l1GasWei);
      expect(changes.every((value, i) => value !== (changes[i - 1] ?? 100n))).toBe(true);
    }),
    { numRuns: RUNS },
  );
});
