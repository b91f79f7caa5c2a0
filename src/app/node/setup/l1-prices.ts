import { DEFAULT_FIXED_PRICES, type GasPriceOptions } from "./node-options.ts";
import type { BlockHeader } from "#protocol/chain/index.ts";
import type { L1Prices } from "#services/sequencer/index.ts";

/** Decimal places of an exchange rate. */
const RATE_DIGITS = 9;

/** Fixed prices of the command line, with those of a development chain as defaults. */
export function fixedL1Prices(options: GasPriceOptions): L1Prices {
  const rate = options.strkPerEth ?? DEFAULT_FIXED_PRICES.strkPerEth;
  const denominator = 10n ** BigInt(RATE_DIGITS);
  return {
    l1GasWei: options.l1GasPriceWei ?? DEFAULT_FIXED_PRICES.l1GasPriceWei,
    l1DataGasWei: options.blobGasPriceWei ?? DEFAULT_FIXED_PRICES.blobGasPriceWei,
    friPerWei: { numerator: BigInt(Math.round(rate * 10 ** RATE_DIGITS)), denominator },
  };
}

/** Returns the prices of a block, derived from its header, where the exchange rate is rounded. */
export function l1PricesOfBlock({ gasPrices }: Pick<BlockHeader, "gasPrices">): L1Prices {
  const { l1Gas, l1DataGas, l2Gas } = gasPrices;
  // Prices are integers: larger ones have a smaller rounding error.
  const [most = l1Gas] = [l1Gas, l1DataGas, l2Gas].toSorted((a, b) => {
    const [sizeOfA, sizeOfB] = [a, b].map(({ wei, fri }) => (wei < fri ? wei : fri));
    return Number((sizeOfB ?? 0n) - (sizeOfA ?? 0n));
  });
  return {
    l1GasWei: l1Gas.wei,
    l1DataGasWei: l1DataGas.wei,
    friPerWei: { numerator: most.fri, denominator: most.wei },
  };
}
