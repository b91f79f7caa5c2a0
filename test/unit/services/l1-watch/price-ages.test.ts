import { expect, test } from "bun:test";
import { FakePrices, POLL_MS, rateOf } from "#test/helpers/l1-prices.ts";

test("a sample that lacks one of its prices is discarded whole", async () => {
  const prices = new FakePrices();
  const watch = prices.watch();
  await watch.first();
  watch.start();
  prices.first = { l1GasWei: 1100n, l1DataGasWei: undefined };
  await prices.polls(2);
  expect(prices.reportedPrices).toEqual([]);
  expect(prices.eventsOf("unanswered")).toHaveLength(2);
  prices.first = { l1GasWei: 1200n, l1DataGasWei: 12n };
  await prices.polls(1);
  expect(prices.reportedPrices).toEqual([
    { l1GasWei: 1200n, l1DataGasWei: 12n, friPerWei: rateOf(5n) },
  ]);
});

test("prices are not stale because polls start late, as after a restart or takeover", async () => {
  const prices = new FakePrices();
  const watch = prices.watch();
  await watch.first();
  prices.timer.advance(50 * POLL_MS);
  watch.start();
  await prices.polls(3);
  expect(prices.eventsOf("stale")).toEqual([]);
  watch.stop();
  prices.timer.advance(50 * POLL_MS);
  watch.start();
  await prices.polls(3);
  expect(prices.eventsOf("stale")).toEqual([]);
});

test("prices become stale without a response since the polls started", async () => {
  const prices = new FakePrices();
  const watch = prices.watch();
  watch.resume({ l1GasWei: 1n, l1DataGasWei: 1n, friPerWei: rateOf(1n) });
  prices.timer.advance(50 * POLL_MS);
  prices.first = undefined;
  prices.rate = undefined;
  watch.start();
  await prices.polls(9);
  expect(prices.eventsOf("stale")).toEqual([]);
  await prices.polls(3);
  expect(prices.eventsOf("stale")).toHaveLength(3);
});
