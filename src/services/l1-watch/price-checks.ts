import { L1Error } from "#base/errors/index.ts";
import type { FeeQuote } from "#io/l1/index.ts";
import type { ExchangeRate, FixedPrices, PriceName, PriceWatchDeps } from "./price-ports.ts";

/**
 * Maximum valid gas price, one ETH per unit: no L1 reports that, and in FRI it still fits into the required
 * 128 bits.
 */
const MAX_GAS_WEI = 10n ** 18n;

/** Maximum valid exchange rate, in FRI per WEI or WEI per FRI. */
const MAX_RATE = 10n ** 12n;

/** Which of the three L1 prices are polled; the others are fixed by the operator. */
export interface Followed {
  readonly l1Gas: boolean;
  readonly l1DataGas: boolean;
  readonly friPerWei: boolean;
}

/** Returns which of the three L1 prices are polled: those that the operator has not fixed. */
export function followedPrices(fixed: FixedPrices): Followed {
  return {
    l1Gas: fixed.l1GasWei === undefined,
    l1DataGas: fixed.l1DataGasWei === undefined,
    friPerWei: fixed.friPerWei === undefined,
  };
}

/** A reported price, or why it is invalid. */
export type ReportedPrice =
  | { readonly price: PriceName; readonly value: ExchangeRate }
  | { readonly price: PriceName; readonly error: L1Error };

/** Extracts the polled prices from a quote. */
export function reportedPrices(
  quote: FeeQuote,
  { fixed, needsDataGas }: Pick<PriceWatchDeps, "fixed" | "needsDataGas">,
): readonly ReportedPrice[] {
  const followed = followedPrices(fixed);
  const reported: ReportedPrice[] = [];
  if (followed.l1Gas) reported.push(gasPrice("l1Gas", quote.l1GasWei, quote.endpoint));
  if (!followed.l1DataGas) return reported;
  if (quote.l1DataGasWei !== undefined) {
    reported.push(gasPrice("l1DataGas", quote.l1DataGasWei, quote.endpoint));
  } else if (needsDataGas) {
    reported.push({ price: "l1DataGas", error: noBlobFees(quote.endpoint) });
  } else {
    reported.push({ price: "l1DataGas", value: inGasPrice(0n) });
  }
  return reported;
}

/** Validates the exchange rate reported by the oracle. */
export function reportedRate(rate: ExchangeRate): ReportedPrice {
  const { numerator, denominator } = rate;
  const isPositive = numerator > 0n && denominator > 0n;
  const isUsable =
    isPositive && numerator <= denominator * MAX_RATE && denominator <= numerator * MAX_RATE;
  if (isUsable) return { price: "friPerWei", value: rate };
  const error = new L1Error(
    "L1_PRICE_ABSURD",
    `the oracle returned ${numerator}/${denominator} FRI per WEI, which is not a valid exchange rate`,
    true,
  );
  return { price: "friPerWei", error };
}

/** A price in wei; zero counts as 1, as in a block. */
function inGasPrice(wei: bigint): ExchangeRate {
  return { numerator: wei === 0n ? 1n : wei, denominator: 1n };
}

function gasPrice(price: PriceName, wei: bigint, endpoint: string): ReportedPrice {
  if (wei >= 0n && wei <= MAX_GAS_WEI) return { price, value: inGasPrice(wei) };
  const name = price === "l1Gas" ? "L1 gas" : "blob gas";
  const message = `${endpoint} returned ${wei} wei for ${name}, which is not a valid price`;
  return { price, error: new L1Error("L1_PRICE_ABSURD", message, true) };
}

function noBlobFees(endpoint: string): L1Error {
  const message = `${endpoint} returned no blob gas price: fix one with --blob-gas-price`;
  return new L1Error("L1_NO_BLOB_FEES", message, false);
}
