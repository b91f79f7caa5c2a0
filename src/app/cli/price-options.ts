import { readBigint, U128_MAX, valueOption } from "./option.ts";

const group = "L1 and prices";

const GAS_PRICE = "price in the smallest unit, plain digits below 2^128";

/** Parses a positive decimal fraction: `2500`, `0.5`. */
function readRate(text: string): number | undefined {
  const rate = /^\d{1,12}(\.\d{1,18})?$/.test(text) ? Number(text) : 0;
  return rate > 0 ? rate : undefined;
}

/** Prices that override L1's. */
export const priceOptions = {
  l1GasPrice: valueOption(
    { flag: "l1-gas-price", value: "WEI", group, summary: "fixed L1 gas price, instead of L1's" },
    GAS_PRICE,
    readBigint(U128_MAX),
    null,
  ),
  blobGasPrice: valueOption(
    {
      flag: "blob-gas-price",
      value: "WEI",
      group,
      summary: "fixed L1 data gas price, instead of L1's",
    },
    GAS_PRICE,
    readBigint(U128_MAX),
    null,
  ),
  strkPerEth: valueOption(
    {
      flag: "strk-per-eth",
      value: "RATE",
      group,
      summary: "fixed exchange rate, instead of an oracle's",
    },
    "a number above zero",
    readRate,
    null,
  ),
  l2GasPrice: valueOption(
    {
      flag: "l2-gas-price",
      value: "FRI",
      group,
      summary: "fixed L2 gas price: the same as overriding l2_gas_price",
    },
    GAS_PRICE,
    readBigint(U128_MAX),
    null,
  ),
};
