import { valueOption } from "./build-option.ts";
import { readBigint, U128_MAX } from "./read-option.ts";

const group = "L1 and prices";
const usedBy = "sequencer";

const GAS_PRICE = "price in the smallest unit, plain digits below 2^128";

/**
 * Options for prices that override those of L1; the setting is `null` to use the chain's or L1's.
 */
export const priceOptions = {
  l1GasPriceWei: valueOption(
    {
      flag: "l1-gas-price",
      value: "WEI",
      group,
      usedBy,
      summary: "fixed L1 gas price, instead of L1's",
    },
    GAS_PRICE,
    readBigint(U128_MAX),
    null,
  ),
  blobGasPriceWei: valueOption(
    {
      flag: "blob-gas-price",
      value: "WEI",
      group,
      usedBy,
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
      usedBy,
      summary: "fixed exchange rate, instead of an oracle's",
    },
    "a number above zero",
    readRate,
    null,
  ),
};

/** Parses a positive decimal fraction: `2500`, `0.5`. */
function readRate(text: string): number | undefined {
  const rate = /^\d{1,12}(\.\d{1,18})?$/.test(text) ? Number(text) : 0;
  return rate > 0 ? rate : undefined;
}
