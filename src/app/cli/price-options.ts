import { DURATION_FORM, parseDurationMs } from "#protocol/config/index.ts";
import { readBigint, readUrl, valueOption } from "./option.ts";

const group = "L1 and prices";

const U128_MAX = (1n << 128n) - 1n;
const GAS_PRICE = "price in the smallest unit, plain digits below 2^128";

/** An above-zero decimal fraction: `2500`, `0.5`. */
function readRate(text: string): number | undefined {
  const rate = /^\d{1,12}(\.\d{1,18})?$/.test(text) ? Number(text) : 0;
  return rate > 0 ? rate : undefined;
}

/** L1, and the prices that hold without it. */
export const priceOptions = {
  l1Endpoint: valueOption(
    {
      flag: "l1-endpoint",
      notBuilt: true,
      value: "URL",
      group,
      summary: "L1 node; without it L1 is off and prices are fixed",
    },
    "http:// or https:// address",
    readUrl,
    null,
  ),
  l1GasPrice: valueOption(
    { flag: "l1-gas-price", value: "WEI", group, summary: "fixed L1 gas price" },
    GAS_PRICE,
    readBigint(U128_MAX),
    null,
  ),
  blobGasPrice: valueOption(
    { flag: "blob-gas-price", value: "WEI", group, summary: "fixed L1 data gas price" },
    GAS_PRICE,
    readBigint(U128_MAX),
    null,
  ),
  strkPerEth: valueOption(
    { flag: "strk-per-eth", value: "RATE", group, summary: "fixed exchange rate" },
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
  gasPricePoll: valueOption(
    {
      flag: "gas-price-poll",
      notBuilt: true,
      value: "DURATION",
      group,
      summary: "time between two looks at L1's gas prices",
      defaultText: "10s",
    },
    `${DURATION_FORM}, above zero`,
    (text) => parseDurationMs(text) || undefined,
    10_000,
  ),
};
