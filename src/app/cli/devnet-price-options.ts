import type { DevnetOptions } from "#app/node/index.ts";
import { devnetOnly } from "./given.ts";
import { readPositive, U128_MAX, valueOption } from "./option.ts";
import type { ParsedArguments } from "./parse-arguments.ts";

const group = "Development chains";

function price(flag: string, unit: "WEI" | "FRI", resource: string) {
  const what = `price of ${resource} of --preset devnet in ${unit === "WEI" ? "wei" : "fri"}`;
  return valueOption(
    {
      flag,
      value: unit,
      group,
      summary: `${what}, until devnet_setGasPrice changes it`,
    },
    "price in the smallest unit, plain digits above 0 and below 2^128",
    readPositive(U128_MAX),
    null,
  );
}

/** Gas prices of a development chain in both units, under starknet-devnet's names. */
export const devnetPriceOptions = {
  gasPriceWei: price("gas-price-wei", "WEI", "L1 gas"),
  gasPriceFri: price("gas-price-fri", "FRI", "L1 gas"),
  dataGasPriceWei: price("data-gas-price-wei", "WEI", "L1 data gas"),
  dataGasPriceFri: price("data-gas-price-fri", "FRI", "L1 data gas"),
  l2GasPriceWei: price("l2-gas-price-wei", "WEI", "L2 gas"),
  l2GasPriceFri: price("l2-gas-price-fri", "FRI", "L2 gas"),
};

type Given = Pick<ParsedArguments<typeof devnetPriceOptions>, "options" | "given">;

/**
 * Returns the prices that were set; an absent member means the chain's own price.
 *
 * @param isDevnet - whether the chain is the preset devnet
 * @throws {ConfigError} when one is used on another chain
 */
export function devnetPricesOf(
  { options, given }: Given,
  isDevnet: boolean,
): DevnetOptions["gasPrices"] {
  const flag = Object.values(devnetPriceOptions).find((option) => given.has(option.flag))?.flag;
  if (flag !== undefined && !isDevnet) throw devnetOnly(given, flag);
  return {
    l1Gas: pair(options.gasPriceWei, options.gasPriceFri),
    l1DataGas: pair(options.dataGasPriceWei, options.dataGasPriceFri),
    l2Gas: pair(options.l2GasPriceWei, options.l2GasPriceFri),
  };
}

function pair(
  wei: bigint | null,
  fri: bigint | null,
): { readonly wei?: bigint; readonly fri?: bigint } {
  return { ...(wei === null ? {} : { wei }), ...(fri === null ? {} : { fri }) };
}
