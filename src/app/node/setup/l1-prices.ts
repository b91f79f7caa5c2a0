import { DEFAULT_FIXED_PRICES, type GasPriceOptions } from "./node-options.ts";
import type { L1Prices } from "#services/sequencer/index.ts";

/** Digits after the point that an exchange rate keeps. */
const RATE_DIGITS = 9;

/** Fixed prices from the command line, with a development chain's where none were given. */
export function fixedL1Prices(options: GasPriceOptions): L1Prices {
  const rate = options.strkPerEth ?? DEFAULT_FIXED_PRICES.strkPerEth;
  const denominator = 10n ** BigInt(RATE_DIGITS);
  return {
    l1GasWei: options.l1GasPriceWei ?? DEFAULT_FIXED_PRICES.l1GasPriceWei,
    l1DataGasWei: options.blobGasPriceWei ?? DEFAULT_FIXED_PRICES.blobGasPriceWei,
    friPerWei: { numerator: BigInt(Math.round(rate * 10 ** RATE_DIGITS)), denominator },
  };
}
