import { valueOption } from "./build-option.ts";
import { readPositive, U128_MAX } from "./read-option.ts";

const group = "Development chains";

function price(flag: string, unit: "WEI" | "FRI", resource: string) {
  const what = `price of ${resource} of --preset devnet in ${unit === "WEI" ? "wei" : "fri"}`;
  return valueOption(
    {
      flag,
      value: unit,
      group,
      usedBy: "devnet",
      summary: `${what}, until devnet_setGasPrice changes it`,
    },
    "price in the smallest unit, plain digits above 0 and below 2^128",
    readPositive(U128_MAX),
    null,
  );
}

/**
 * Options for the gas prices of a development chain in both units, under starknet-devnet's names.
 */
export const devnetPriceOptions = {
  l1Gas: {
    wei: price("gas-price-wei", "WEI", "L1 gas"),
    fri: price("gas-price-fri", "FRI", "L1 gas"),
  },
  l1DataGas: {
    wei: price("data-gas-price-wei", "WEI", "L1 data gas"),
    fri: price("data-gas-price-fri", "FRI", "L1 data gas"),
  },
  l2Gas: {
    wei: price("l2-gas-price-wei", "WEI", "L2 gas"),
    fri: price("l2-gas-price-fri", "FRI", "L2 gas"),
  },
};
