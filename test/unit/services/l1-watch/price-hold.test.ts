import { expect, test } from "bun:test";
import { FakePrices, rateOf } from "#test/helpers/l1-prices.ts";

test("holds back an outlier from the hour's median until ten consecutive polls confirm it", async () => {
  const prices = new FakePrices();
  const watch = prices.watch();
  await watch.first();
  watch.start();
  await prices.polls(5);
  prices.first = { l1GasWei: 4001n, l1DataGasWei: 10n };
  await prices.polls(9);
  expect(prices.reportedPrices).toEqual([]);
  const held = prices.eventsOf("held_back");
  expect(held.map(({ polls }) => polls)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(held[0]).toMatchObject({
    price: "l1Gas",
    reported: "4001",
    usual: "1000",
    pollsNeeded: 10,
  });
  await prices.polls(1);
  expect(prices.reportedPrices).toMatchObject([{ l1GasWei: 4001n, l1DataGasWei: 10n }]);
  expect(prices.eventsOf("confirmed")).toMatchObject([{ price: "l1Gas", by: "polls" }]);
  // From then on it is the usual price.
  prices.first = { l1GasWei: 4100n, l1DataGasWei: 10n };
  await prices.polls(1);
  expect(prices.reportedPrices.at(-1)).toMatchObject({ l1GasWei: 4100n });
  expect(prices.eventsOf("stale")).toEqual([]);
});

test("does not treat four times or a quarter of the median as an outlier", async () => {
  for (const l1GasWei of [4000n, 250n]) {
    const prices = new FakePrices();
    const watch = prices.watch();
    await watch.first();
    watch.start();
    prices.first = { l1GasWei, l1DataGasWei: 10n };
    await prices.polls(1);
    expect(prices.reportedPrices).toMatchObject([{ l1GasWei }]);
  }
});

test("a second endpoint with a similar price confirms it immediately", async () => {
  const prices = new FakePrices();
  const watch = prices.watch();
  await watch.first();
  watch.start();
  prices.first = { l1GasWei: 9000n, l1DataGasWei: 1n };
  prices.other = { l1GasWei: 1000n, l1DataGasWei: 10n };
  await prices.polls(3);
  expect(prices.reportedPrices).toEqual([]);
  expect(prices.asked.other).toBe(3);
  // Its price of the other kind does not count.
  prices.other = { l1GasWei: 1000n, l1DataGasWei: 9000n };
  await prices.polls(1);
  expect(prices.reportedPrices).toEqual([]);
  prices.other = { l1GasWei: 4500n, l1DataGasWei: 10n };
  await prices.polls(1);
  expect(prices.reportedPrices).toMatchObject([{ l1GasWei: 9000n, l1DataGasWei: 10n }]);
  expect(prices.eventsOf("confirmed")).toMatchObject([{ price: "l1Gas", by: "another endpoint" }]);
  prices.other = { l1GasWei: 9000n, l1DataGasWei: 2n };
  await prices.polls(1);
  expect(prices.reportedPrices.at(-1)).toMatchObject({ l1GasWei: 9000n, l1DataGasWei: 1n });
});

test("never confirms prices that jump, and the one in use becomes stale", async () => {
  const prices = new FakePrices();
  const watch = prices.watch({ fixed: { friPerWei: rateOf(1n), l1DataGasWei: 1n } });
  await watch.first();
  watch.start();
  for (let i = 0; i < 15; i++) {
    prices.first = { l1GasWei: i % 2 === 0 ? 10_000n : 100_000n, l1DataGasWei: undefined };
    await prices.polls(1);
  }
  expect(prices.reportedPrices).toEqual([]);
  expect(prices.eventsOf("confirmed")).toEqual([]);
  expect(prices.eventsOf("stale")).toHaveLength(1);
});

test("restarts the count after a usual price", async () => {
  const prices = new FakePrices();
  const watch = prices.watch();
  await watch.first();
  watch.start();
  const usual = { l1GasWei: 1000n, l1DataGasWei: 10n };
  const odd = { l1GasWei: 1n, l1DataGasWei: 10n };
  prices.first = odd;
  await prices.polls(9);
  prices.first = usual;
  await prices.polls(1);
  prices.first = odd;
  await prices.polls(9);
  expect(prices.reportedPrices).toEqual([]);
});

test("holds back an outlier exchange rate too, and keeps the count over a failed poll", async () => {
  const prices = new FakePrices();
  const watch = prices.watch();
  await watch.first();
  watch.start();
  prices.rate = rateOf(41n, 2n);
  await prices.polls(5);
  prices.rate = undefined;
  await prices.polls(2);
  prices.rate = rateOf(41n, 2n);
  await prices.polls(4);
  expect(prices.reportedPrices).toEqual([]);
  expect(prices.eventsOf("held_back")[0]).toMatchObject({ reported: "20.5", usual: "5" });
  await prices.polls(1);
  expect(prices.reportedPrices).toMatchObject([{ friPerWei: rateOf(41n, 2n) }]);
  expect(prices.asked.other).toBe(0);
});

test("uses the median of the last hour", async () => {
  const prices = new FakePrices();
  const watch = prices.watch();
  await watch.first();
  watch.start();
  await prices.polls(170);
  prices.first = { l1GasWei: 3000n, l1DataGasWei: 10n };
  // At first most of the hour has 1000, then most of it has 3000.
  await prices.polls(150);
  prices.first = { l1GasWei: 9000n, l1DataGasWei: 10n };
  await prices.polls(1);
  expect(prices.eventsOf("held_back")).toHaveLength(1);
  prices.first = { l1GasWei: 3000n, l1DataGasWei: 10n };
  await prices.polls(100);
  prices.first = { l1GasWei: 9000n, l1DataGasWei: 10n };
  await prices.polls(1);
  expect(prices.eventsOf("held_back")).toHaveLength(1);
  expect(prices.reportedPrices.at(-1)).toMatchObject({ l1GasWei: 9000n });
});

test("accepts any price after an hour without prices", async () => {
  const prices = new FakePrices();
  const watch = prices.watch();
  await watch.first();
  watch.start();
  prices.first = undefined;
  await prices.polls(361);
  prices.first = { l1GasWei: 90_000n, l1DataGasWei: 10n };
  await prices.polls(1);
  expect(prices.reportedPrices).toMatchObject([{ l1GasWei: 90_000n }]);
});
