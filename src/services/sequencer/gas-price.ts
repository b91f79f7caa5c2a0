import type { BlockInfo, GasPrices, ResourcePrice } from "#protocol/chain/index.ts";

/** How the L2 gas price moves from block to block. Amounts are FRI per gas and gas. */
export type L2GasPricing =
  | { readonly kind: "fixed"; readonly priceFri: bigint }
  | {
      readonly kind: "eip1559";
      readonly targetGas: bigint;
      readonly minPriceFri: bigint;
      readonly maxChangeDenominator: bigint;
    };

/** Prices that do not come from the chain itself: L1 gas and the exchange rate. */
export interface L1Prices {
  readonly l1GasWei: bigint;
  readonly l1DataGasWei: bigint;
  /** FRI per WEI as a fraction: STRK and ETH have the same number of decimals. */
  readonly friPerWei: { readonly numerator: bigint; readonly denominator: bigint };
}

/** The newest block's price and use of L2 gas. */
export interface L2GasHistory {
  readonly priceFri: bigint;
  readonly gasUsed: bigint;
}

/**
 * L2 gas price of the next block in FRI.
 *
 * With EIP-1559 pricing it moves by at most 1 / `maxChangeDenominator` of the old price,
 * proportional to the distance of the gas used from the target, and never below the minimum.
 * Source: EIP-1559, "Specification"; the same step as other Starknet sequencers use.
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

/** All prices of a block in both units; a price of zero becomes 1, as the protocol demands. */
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

/** What {@link nextL2GasPrice} needs of the parent block. */
export function l2GasHistoryOf(
  parent: Pick<BlockInfo, "gasPrices">,
  receipts: readonly { readonly gas: { readonly l2Gas: bigint } }[],
): L2GasHistory {
  const gasUsed = receipts.reduce((sum, receipt) => sum + receipt.gas.l2Gas, 0n);
  return { priceFri: parent.gasPrices.l2Gas.fri, gasUsed };
}
