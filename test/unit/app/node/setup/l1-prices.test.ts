import { expect, test } from "bun:test";
import { fixedL1Prices, l1PricesOfBlock } from "#app/node/setup/l1-prices.ts";
import { gasPriceOptions } from "#test/helpers/options.ts";

test("come from the command line", () => {
  const prices = fixedL1Prices(
    gasPriceOptions({ l1GasPriceWei: 5n, blobGasPriceWei: 6n, strkPerEth: 1.25 }),
  );
  expect([prices.l1GasWei, prices.l1DataGasWei]).toEqual([5n, 6n]);
  const { numerator, denominator } = prices.friPerWei;
  expect(numerator * 4n).toBe(denominator * 5n);
});

test("keep nine digits of the exchange rate", () => {
  const options = gasPriceOptions({ strkPerEth: 0.1234567894 });
  expect(fixedL1Prices(options).friPerWei).toEqual({
    numerator: 123_456_789n,
    denominator: 1_000_000_000n,
  });
});

test("default to those of a development chain", () => {
  const prices = fixedL1Prices(gasPriceOptions());
  expect([prices.l1GasWei, prices.l1DataGasWei]).toEqual([128n, 128n]);
  const { numerator, denominator } = prices.friPerWei;
  expect(Number(numerator) / Number(denominator)).toBe(1);
});

test("come from a block's header, with the least rounded exchange rate", () => {
  const gasPrices = {
    l1Gas: { wei: 3n, fri: 7n },
    l1DataGas: { wei: 1n, fri: 2n },
    l2Gas: { wei: 4_000n, fri: 10_001n },
  };
  expect(l1PricesOfBlock({ gasPrices })).toEqual({
    l1GasWei: 3n,
    l1DataGasWei: 1n,
    friPerWei: { numerator: 10_001n, denominator: 4_000n },
  });
  const l1Gas = { wei: 20_000_000_000n, fri: 50_000_000_000_000n };
  expect(l1PricesOfBlock({ gasPrices: { ...gasPrices, l1Gas } }).friPerWei).toEqual({
    numerator: l1Gas.fri,
    denominator: l1Gas.wei,
  });
});
