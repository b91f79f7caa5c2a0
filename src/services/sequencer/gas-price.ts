import type { BlockInfo, GasPrices, ResourcePrice } from "#protocol/chain/index.ts";

/** L2 gas price policy. Amounts are FRI per gas, and gas. */
export type L2GasPricing =
  | { readonly kind: "fixed"; readonly priceFri: bigint }
  | {
      readonly kind: "eip1559";
      readonly targetGas: bigint;
      readonly minPriceFri: bigint;
      readonly maxChangeDenominator: bigint;
    };

/** Prices from outside the chain: L1 gas and the exchange rate. */
export interface L1Prices {
  readonly l1GasWei: bigint;
  readonly l1DataGasWei: bigint;
  /** FRI per WEI as a fraction: STRK and ETH have the same number of decimals. */
  readonly friPerWei: { readonly numerator: bigint; readonly denominator: bigint };
}

/** Price and use of L2 gas in the newest block. */
export interface L2GasHistory {
  readonly priceFri: bigint;
  readonly gasUsed: bigint;
}

/**
 * Returns the L2 gas price of the next block in FRI.
 *
 * With EIP-1559 pricing, the price changes by at most 1 / `maxChangeDenominator`, proportional to the
 * distance of the used gas from the target, and never falls below the minimum. Source: EIP-1559,
 * "Specification"; other Starknet sequencers use the same step.
 */
export function nextL2GasPrice(pricing: L2GasPricing, parent: L2GasHistory | undefined): bigint {
  if (pricing.kind === "fixed") return pricing.priceFri;
  const { targetGas, minPriceFri, maxChangeDenominator } = pricing;
  if (parent === undefined) return minPriceFri;
  const above = parent.gasUsed > targetGas;
  const distance = above ? parent.gasUsed - targetGas : targetGas - parent.gasUsed;
  const step = (parent.priceFri * distance) / (targetGas * maxChangeDenominator);
  const price = above ? parent.priceFri + step : parent.priceFri - step;
  return price < minPriceFri ? minPriceFri : price;
}

function atLeastOne(value: bigint): bigint {
  return value < 1n ? 1n : value;
}

function fromWei(wei: bigint, prices: L1Prices): ResourcePrice {
  const { numerator, denominator } = prices.friPerWei;
  return { wei: atLeastOne(wei), fri: atLeastOne((wei * numerator) / denominator) };
}

/** Returns all prices of a block in both units. A price of zero becomes 1, as the protocol demands. */
export function gasPricesOf(prices: L1Prices, l2PriceFri: bigint): GasPrices {
  const { numerator, denominator } = prices.friPerWei;
  return {
    l1Gas: fromWei(prices.l1GasWei, prices),
    l1DataGas: fromWei(prices.l1DataGasWei, prices),
    l2Gas: {
      fri: atLeastOne(l2PriceFri),
      wei: atLeastOne(numerator === 0n ? 0n : (l2PriceFri * denominator) / numerator),
    },
  };
}

/** Returns the parent data that {@link nextL2GasPrice} needs. */
export function l2GasHistoryOf(
  parent: Pick<BlockInfo, "gasPrices">,
  receipts: readonly { readonly gas: { readonly l2Gas: bigint } }[],
): L2GasHistory {
  const gasUsed = receipts.reduce((sum, receipt) => sum + receipt.gas.l2Gas, 0n);
  return { priceFri: parent.gasPrices.l2Gas.fri, gasUsed };
}
