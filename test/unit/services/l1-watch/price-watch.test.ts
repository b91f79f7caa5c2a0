import { expect, test } from "bun:test";
import { l1FailureOf } from "#test/helpers/l1-failure.ts";
import { FakePrices, POLL_MS, rateOf, settled } from "#test/helpers/l1-prices.ts";

test("starts with the prices of L1 and the oracle", async () => {
  const prices = new FakePrices();
  const expected = { l1GasWei: 1000n, l1DataGasWei: 10n, friPerWei: rateOf(5n) };
  expect(await prices.watch().first()).toEqual(expected);
  expect(prices.reportedPrices).toEqual([]);
});

test("prefers fixed prices and does not request them", async () => {
  const prices = new FakePrices();
  const fixed = { l1GasWei: 3n, friPerWei: rateOf(7n) };
  const partly = prices.watch({ fixed, oracle: null });
  expect(await partly.first()).toEqual({ ...fixed, l1DataGasWei: 10n });
  expect(prices.asked).toEqual({ first: 1, other: 0, rate: 0 });
  const whole = prices.watch({ fixed: { ...fixed, l1DataGasWei: 4n }, oracle: null });
  whole.start();
  expect(await whole.first()).toEqual({ ...fixed, l1DataGasWei: 4n });
  await prices.polls(20);
  expect(prices.asked).toEqual({ first: 1, other: 0, rate: 0 });
  expect(whole.ageMs).toBeUndefined();
  expect(prices.eventsOf("stale")).toEqual([]);
});

test("keeps a fixed price whatever L1 reports later", async () => {
  const prices = new FakePrices();
  const watch = prices.watch({ fixed: { l1GasWei: 3n } });
  await watch.first();
  watch.start();
  prices.first = { l1GasWei: 2000n, l1DataGasWei: 11n };
  await prices.polls(1);
  expect(prices.reportedPrices).toEqual([
    { l1GasWei: 3n, l1DataGasWei: 11n, friPerWei: rateOf(5n) },
  ]);
});

test("fails at start without a response, and names the options that fix prices", async () => {
  const prices = new FakePrices();
  prices.first = undefined;
  const ofL1 = await l1FailureOf(prices.watch().first());
  expect(ofL1.message).toContain("--l1-gas-price and --blob-gas-price: nobody answers");
  expect(ofL1.message).not.toContain("--strk-per-eth");
  expect(ofL1.retryable).toBe(true);
  const ofGas = await l1FailureOf(prices.watch({ fixed: { l1DataGasWei: 1n } }).first());
  expect(ofGas.message).not.toContain("--blob-gas-price");
  prices.rate = undefined;
  const ofBoth = await l1FailureOf(prices.watch().first());
  expect(ofBoth.message).toContain("--l1-gas-price");
  expect(ofBoth.message).toContain("--strk-per-eth: no market");
});

test("names the options without an oracle or a fixed rate", async () => {
  const error = await l1FailureOf(new FakePrices().watch({ oracle: null }).first());
  expect(error.message).toContain("--strk-per-eth");
  expect(error.message).toContain("--oracle-url");
  expect(error.retryable).toBe(false);
});

test("names the option for an L1 without blobs, unless data goes into calldata", async () => {
  const prices = new FakePrices();
  prices.first = { l1GasWei: 1000n, l1DataGasWei: undefined };
  const error = await l1FailureOf(prices.watch().first());
  expect(error.message).toContain("returned no blob gas price: fix one with --blob-gas-price");
  expect(error.retryable).toBe(false);
  const fixed = await prices.watch({ fixed: { l1DataGasWei: 8n } }).first();
  expect(fixed).toMatchObject({ l1GasWei: 1000n, l1DataGasWei: 8n });
  const calldata = await prices.watch({ needsDataGas: false }).first();
  expect(calldata).toMatchObject({ l1GasWei: 1000n, l1DataGasWei: 1n });
});

test("raises a price of zero to 1, as in a block", async () => {
  const prices = new FakePrices();
  prices.first = { l1GasWei: 0n, l1DataGasWei: 0n };
  expect(await prices.watch().first()).toMatchObject({ l1GasWei: 1n, l1DataGasWei: 1n });
});

test("rejects impossible prices", async () => {
  const prices = new FakePrices();
  for (const l1GasWei of [10n ** 18n + 1n, 2n ** 256n - 1n, -1n]) {
    prices.first = { l1GasWei, l1DataGasWei: 1n };
    const gas = await l1FailureOf(prices.watch().first());
    expect(gas.message).toContain(
      `returned ${l1GasWei} wei for L1 gas, which is not a valid price`,
    );
    prices.first = { l1GasWei: 1n, l1DataGasWei: l1GasWei };
    const blob = await l1FailureOf(prices.watch().first());
    expect(blob.message).toContain(
      `returned ${l1GasWei} wei for blob gas, which is not a valid price`,
    );
  }
  prices.first = { l1GasWei: 10n ** 18n, l1DataGasWei: 10n ** 18n };
  expect(await prices.watch().first()).toMatchObject({ l1GasWei: 10n ** 18n });
  const million = 10n ** 12n;
  for (const rate of [rateOf(0n), rateOf(1n, 0n), rateOf(-1n, -1n), rateOf(million + 1n)]) {
    prices.rate = rate;
    const { message } = await l1FailureOf(prices.watch().first());
    expect(message).toContain("which is not a valid exchange rate");
    expect(message).toContain("--strk-per-eth");
  }
  for (const rate of [rateOf(million), rateOf(1n, million)]) {
    prices.rate = rate;
    expect(await prices.watch().first()).toMatchObject({ friPerWei: rate });
  }
  prices.rate = rateOf(1n, million + 1n);
  expect((await l1FailureOf(prices.watch().first())).code).toBe("L1_NO_PRICES");
});

test("reports changed prices only, from the first poll on", async () => {
  const prices = new FakePrices();
  const watch = prices.watch();
  await watch.first();
  watch.start();
  await prices.polls(3);
  expect(prices.asked).toEqual({ first: 4, other: 0, rate: 4 });
  expect(prices.reportedPrices).toEqual([]);
  prices.first = { l1GasWei: 1100n, l1DataGasWei: 10n };
  await prices.polls(2);
  prices.rate = rateOf(6n);
  await prices.polls(2);
  expect(prices.reportedPrices).toEqual([
    { l1GasWei: 1100n, l1DataGasWei: 10n, friPerWei: rateOf(5n) },
    { l1GasWei: 1100n, l1DataGasWei: 10n, friPerWei: rateOf(6n) },
  ]);
  watch.stop();
  await prices.polls(5);
  expect(prices.asked.first).toBe(8);
});

test("uses the newest block's prices until L1 responds", async () => {
  const prices = new FakePrices();
  prices.first = undefined;
  const watch = prices.watch();
  await l1FailureOf(watch.first());
  watch.resume({ l1GasWei: 9n, l1DataGasWei: 8n, friPerWei: rateOf(7n) });
  watch.start();
  prices.rate = rateOf(6n);
  await prices.polls(1);
  expect(prices.reportedPrices).toEqual([
    { l1GasWei: 9n, l1DataGasWei: 8n, friPerWei: rateOf(6n) },
  ]);
  // Old prices of a block are no base for comparison.
  prices.first = { l1GasWei: 5000n, l1DataGasWei: 10n };
  await prices.polls(1);
  expect(prices.reportedPrices.at(-1)).toMatchObject({ l1GasWei: 5000n, l1DataGasWei: 10n });
});

test("keeps the last prices without a response, and reports them once as stale after ten polls", async () => {
  const prices = new FakePrices();
  const watch = prices.watch();
  await watch.first();
  watch.start();
  prices.first = undefined;
  await prices.polls(10);
  expect(prices.eventsOf("unanswered")).toHaveLength(10);
  expect(prices.eventsOf("stale")).toEqual([]);
  expect(watch.ageMs).toBe(10 * POLL_MS);
  await prices.polls(10);
  const stale = prices.eventsOf("stale");
  expect(stale.map(({ price }) => price)).toEqual(["l1Gas", "l1DataGas"]);
  expect(stale[0]?.ageMs).toBe(11 * POLL_MS);
  expect(prices.reportedPrices).toEqual([]);
  prices.first = { l1GasWei: 1001n, l1DataGasWei: 10n };
  await prices.polls(2);
  expect(prices.eventsOf("answered")).toEqual([{ kind: "answered", teller: "l1" }]);
  expect(watch.ageMs).toBe(0);
  prices.first = undefined;
  await prices.polls(11);
  expect(prices.eventsOf("stale")).toHaveLength(4);
});

test("a failing or hanging oracle does not delay L1, nor L1 the oracle", async () => {
  const prices = new FakePrices();
  const watch = prices.watch();
  await watch.first();
  watch.start();
  prices.rate = undefined;
  prices.first = { l1GasWei: 1200n, l1DataGasWei: 10n };
  await prices.polls(1);
  expect(prices.reportedPrices).toEqual([
    { l1GasWei: 1200n, l1DataGasWei: 10n, friPerWei: rateOf(5n) },
  ]);
  expect(prices.eventsOf("unanswered")).toMatchObject([{ teller: "oracle" }]);
  prices.rate = rateOf(6n);
  prices.first = undefined;
  await prices.polls(1);
  expect(prices.reportedPrices.at(-1)).toMatchObject({ friPerWei: rateOf(6n) });
  expect(prices.eventsOf("answered")).toEqual([{ kind: "answered", teller: "oracle" }]);
});

test("asks again after a minute without a response, and ignores the late one", async () => {
  const prices = new FakePrices();
  let late: () => void = () => undefined;
  const hang = new Promise<void>((resolve) => (late = resolve));
  let asked = 0;
  const watch = prices.watch({
    fixed: { friPerWei: rateOf(1n) },
    source: {
      feeQuote: async () => {
        const l1GasWei = 1000n + BigInt(++asked);
        if (asked === 2) await hang;
        return { endpoint: "http://one", l1GasWei, l1DataGasWei: 10n };
      },
      otherFeeQuote: () => Promise.resolve(undefined),
    },
  });
  await watch.first();
  watch.start();
  await prices.polls(6);
  expect(asked).toBe(2);
  await prices.polls(1);
  expect(asked).toBe(3);
  const [unanswered] = prices.eventsOf("unanswered");
  expect(String(unanswered?.error)).toContain("60 seconds");
  expect(prices.eventsOf("answered")).toHaveLength(1);
  late();
  await settled();
  expect(prices.reportedPrices.map(({ l1GasWei }) => l1GasWei)).toEqual([1003n]);
});

test("polls immediately if started without first prices", async () => {
  const prices = new FakePrices();
  const watch = prices.watch();
  watch.start();
  watch.start();
  prices.timer.advance(0);
  await settled();
  expect(prices.asked.first).toBe(1);
  expect(prices.reportedPrices).toHaveLength(1);
});

test("reports a response that arrives after the chain resumed without it", async () => {
  const prices = new FakePrices();
  let answer: () => void = () => undefined;
  const late = new Promise<void>((resolve) => (answer = resolve));
  const watch = prices.watch({
    source: {
      feeQuote: async () => {
        await late;
        return { endpoint: "http://one", l1GasWei: 1000n, l1DataGasWei: 10n };
      },
      otherFeeQuote: () => Promise.resolve(undefined),
    },
  });
  const first = watch.first();
  watch.resume({ l1GasWei: 9n, l1DataGasWei: 8n, friPerWei: rateOf(7n) });
  watch.start();
  answer();
  const expected = { l1GasWei: 1000n, l1DataGasWei: 10n, friPerWei: rateOf(5n) };
  expect(await first).toEqual(expected);
  expect(prices.reportedPrices).toEqual([expected]);
});

test("prefers received prices over those of the newest block", async () => {
  const prices = new FakePrices();
  prices.first = undefined;
  const watch = prices.watch();
  await l1FailureOf(watch.first());
  watch.resume({ l1GasWei: 9n, l1DataGasWei: 8n, friPerWei: rateOf(7n) });
  watch.start();
  prices.first = { l1GasWei: 1000n, l1DataGasWei: 10n };
  prices.rate = undefined;
  await prices.polls(1);
  expect(prices.reportedPrices).toMatchObject([{ l1GasWei: 1000n, friPerWei: rateOf(5n) }]);
});

test("reports nothing after a stop, even if a response arrives", async () => {
  const prices = new FakePrices();
  const watch = prices.watch();
  await watch.first();
  watch.start();
  prices.first = { l1GasWei: 1001n, l1DataGasWei: 10n };
  prices.timer.advance(POLL_MS);
  expect(prices.asked.first).toBe(2);
  watch.stop();
  await settled();
  expect(prices.reportedPrices).toEqual([]);
  expect(prices.timer.alarms).toBe(0);
});
